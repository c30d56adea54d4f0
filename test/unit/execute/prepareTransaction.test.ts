import { expect } from "chai";
import { createWalletClient, custom } from "viem";
import type { ExecuteProgress } from "../../../src/execute/index.ts";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import { bridgeQuote, depositStep } from "../client/support/samples.ts";
import { alterNode, localWallet, readerOf, tryPayment } from "./support/alteredAnswers.ts";
import { account, fakeChain } from "./support/fakeChain.ts";
import { approveStep } from "./support/steps.ts";

describe("execute with a key of this process", () => {
  beforeEach(() => paymentLedger.clear());

  it("a node that counts the approval too late: the deposit is signed with the next nonce", async () => {
    const chain = fakeChain({ allowances: [5n] });
    const request = alterNode(chain, (call, honest) =>
      call.method === "eth_getTransactionCount" ? "0x0" : honest(call),
    );
    const nonces: unknown[] = [];
    const onProgress = (event: ExecuteProgress) => {
      if (event.type === "item" && event.phase === "sending") nonces.push(event.state.items.at(-1)?.nonce);
    };
    const publicClient = readerOf(request);
    const { status } = await tryPayment(chain, {
      onProgress,
      publicClient,
      quote: bridgeQuote([approveStep(), depositStep()]),
      wallet: localWallet(request),
    });
    expect(status).to.equal("success");
    expect(nonces).to.deep.equal([0, 1]);
  });

  it("a local account whose signTransaction throws at once: the wallet failed, and nothing was sent", async () => {
    const chain = fakeChain();
    const signTransaction = () => {
      throw new Error("the device is locked");
    };
    const { error } = await tryPayment(chain, {
      wallet: createWalletClient({
        account: { ...account, signTransaction },
        transport: custom({ request: chain.request }, { retryCount: 0 }),
      }),
    });
    expect(error).to.have.property("code", "WALLET_FAILED");
    expect(chain.sent).to.deep.equal([]);
  });
});
