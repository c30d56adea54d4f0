import { expect } from "chai";
import type { Address, Hex } from "viem";
import { rejectionOf } from "../unit/client/support/fakeService.ts";
import { wrapSample } from "../unit/guard/support/quotes.ts";
import { callOf, guarded, send, signedTransaction, walletError } from "../unit/guard/support/wallet.ts";

describe("attack: a node that shows many transactions of the call that nobody signed", () => {
  it("one block of 0.3 MB, of the 1,000 that one click reads: takes less than a second", async () => {
    const sample = wrapSample("many unsigned");
    const call = callOf(sample) as { data: Hex; to: Address; value: Hex };
    const signed = await signedTransaction(call);
    const { accessList: _, ...fields } = signed;
    const transactions = Array.from({ length: 500 }, () => ({ ...fields, nonce: "0x9" }));
    const size = JSON.stringify(transactions).length;
    let block = 7;
    const { provider } = await guarded([sample], {
      answers: {
        eth_blockNumber: () => `0x${block.toString(16)}`,
        eth_getBlockByNumber: () => new Promise((resolve) => setTimeout(() => resolve({ transactions }), 0)),
        eth_sendTransaction: () => Promise.reject(walletError(-32603)),
      },
    });
    await rejectionOf(send(provider, callOf(sample)));
    block = 8;
    const start = performance.now();
    await rejectionOf(send(provider, callOf(sample)));
    const total = performance.now() - start;
    expect(total, `${size} characters`).to.be.lessThan(1_000);
  }).timeout(60_000);
});
