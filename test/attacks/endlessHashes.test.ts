import { expect } from "chai";
import {
  createPublicClient,
  custom,
  type Hex,
  keccak256,
  numberToHex,
  type PublicClient,
  parseTransaction,
  type Transport,
} from "viem";
import type { ExecuteProgress } from "../../src/execute/index.ts";
import { paymentLedger } from "../../src/execute/paymentLedger.ts";
import { alterNode, localWallet, tryPayment } from "../unit/execute/support/alteredAnswers.ts";
import { account, fakeChain } from "../unit/execute/support/fakeChain.ts";

const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code;

/** A node that keeps the bytes for itself, and shows them in a block under a hash that it makes up. */
function relabelling(limit = Number.POSITIVE_INFINITY) {
  const chain = fakeChain();
  let raw: Hex | undefined;
  let shown = 0;
  const request = alterNode(chain, async (call, honest) => {
    if (call.method === "eth_sendRawTransaction") {
      raw = (call.params as [Hex])[0];
      return keccak256(raw);
    }
    if (call.method === "eth_getTransactionReceipt") return null;
    if (call.method === "eth_getTransactionByHash") return null;
    if (call.method === "eth_blockNumber") return "0x0";
    if (call.method === "eth_getTransactionCount") return raw === undefined ? "0x0" : "0x1";
    if (call.method !== "eth_getBlockByNumber" || call.params?.[1] !== true || raw === undefined)
      return honest(call);
    const parsed = parseTransaction(raw) as Record<string, never>;
    shown += 1;
    if (shown > limit) return { ...((await honest(call)) as object), transactions: [] };
    const transaction = {
      accessList: [],
      blockHash: `0x${"b1".repeat(32)}`,
      blockNumber: "0x0",
      chainId: numberToHex(31337),
      from: account.address,
      gas: numberToHex(parsed.gas as never),
      hash: numberToHex(shown, { size: 32 }),
      input: parsed.data ?? "0x",
      maxFeePerGas: numberToHex(parsed.maxFeePerGas as never),
      maxPriorityFeePerGas: numberToHex(parsed.maxPriorityFeePerGas as never),
      nonce: "0x0",
      r: parsed.r,
      s: parsed.s,
      to: parsed.to,
      transactionIndex: "0x0",
      type: "0x2",
      v: numberToHex(parsed.yParity as never),
      value: numberToHex((parsed.value as never) ?? 0),
      yParity: numberToHex(parsed.yParity as never),
    };
    return { ...((await honest(call)) as object), transactions: [transaction] };
  });
  const publicClient = createPublicClient({
    cacheTime: 0,
    transport: custom({ request }),
  }) as PublicClient<Transport>;
  return { chain, publicClient, rawOf: () => raw, shownOf: () => shown, wallet: localWallet(request) };
}

describe("attack: a node that relabels the account's own transaction", () => {
  beforeEach(() => paymentLedger.clear());

  it("shows it under ever new hashes: the run ends within its time limit", async () => {
    const { publicClient, shownOf, wallet } = relabelling();
    const stop = new AbortController();
    const startedAt = Date.now();
    const timer = setTimeout(() => stop.abort(), 4_000);
    const { error } = await tryPayment(fakeChain(), {
      publicClient,
      signal: stop.signal,
      timeout: 500,
      wallet,
    });
    clearTimeout(timer);
    console.log("hashes followed:", shownOf(), "after ms:", Date.now() - startedAt);
    expect(codeOf(error), String(error)).to.equal("PAYMENT_UNSETTLED");
  }).timeout(20_000);

  it("shows it once under another hash: the saved state still holds the signed bytes, which a later run sends", async () => {
    const { publicClient, rawOf, wallet } = relabelling(1);
    const hashes: (string | undefined)[] = [];
    const onProgress = (event: ExecuteProgress) => {
      if (event.type === "item") hashes.push(event.txHash);
    };
    const first = await tryPayment(fakeChain(), { onProgress, publicClient, timeout: 3_000, wallet });
    expect(codeOf(first.error)).to.equal("PAYMENT_UNSETTLED");
    // The liar forwarded nothing. A later run has an honest node, which has never seen the payment.
    paymentLedger.clear();
    const honest = fakeChain();
    const again = await tryPayment(honest, { state: first.saved, timeout: 3_000 });
    console.log(hashes, first.saved?.items, codeOf(again.error));
    expect(honest.sent.map(({ hash }) => hash)).to.deep.equal([keccak256(rawOf() as Hex)]);
  }).timeout(20_000);
});
