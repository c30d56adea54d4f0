import { expect } from "chai";
import { type Hex, keccak256, parseTransaction, serializeTransaction } from "viem";
import { createClient } from "../../../src/client/createClient.ts";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import type { ExecuteProgress } from "../../../src/execute/Run.ts";
import { sleep } from "../../../src/internal/sleep.ts";
import { rpcTransaction } from "../../helpers/rpcTransaction.ts";
import { alterNode, codeOf, localWallet, readerOf, tryPayment } from "./support/alteredAnswers.ts";
import { success } from "./support/attempt.ts";
import { account, type FakeChain, fakeChain } from "./support/fakeChain.ts";

/** Order of secp256k1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The same transaction with the other signature of its key, which no chain mines (EIP-2). */
function twinOf(raw: Hex): Hex {
  const { r = "0x", s = "0x", yParity = 0, ...fields } = parseTransaction(raw);
  const other = `0x${(order - BigInt(s)).toString(16).padStart(64, "0")}` as const;
  return serializeTransaction(fields as never, { r, s: other, yParity: 1 - yParity } as never);
}

/** A transaction as a block shows it. */
const shown = (raw: Hex) => rpcTransaction(raw, account.address);

/** A node that keeps a payment to itself, and shows it and its twin in every block. */
function twinNode(chain: FakeChain) {
  const kept: Hex[] = [];
  const request = alterNode(chain, async (call, honest) => {
    const [first, second] = call.params ?? [];
    if (call.method === "eth_sendRawTransaction") {
      kept.push(first as Hex);
      return keccak256(first as Hex);
    }
    const raw = kept[0];
    if (raw === undefined) return honest(call);
    if (call.method === "eth_getTransactionCount") return "0x1";
    if (call.method === "eth_getTransactionReceipt") return null;
    if (call.method !== "eth_getBlockByNumber" || second !== true) return honest(call);
    const block = (await honest(call)) as object;
    return { ...block, transactions: [raw, twinOf(raw)].map(shown) };
  });
  return { kept, request };
}

const realClient = () =>
  createClient({
    baseUrl: "https://service.test",
    fetch: async () => success.clone(),
    sleep: (ms, signal) => sleep(ms / 100, signal),
  });

describe("execute and a node that shows another transaction of a payment's nonce", () => {
  beforeEach(() => paymentLedger.clear());

  it("a payment and its twin with the other `s`: the run ends within its time limit", async () => {
    const chain = fakeChain();
    const { request } = twinNode(chain);
    const service = { calls: [], client: realClient(), sleeps: [] };
    const stop = new AbortController();
    let turns = 0;
    const onProgress = () => void turns++;
    const timer = setTimeout(() => stop.abort(), 3_000);
    const { error } = await tryPayment(chain, {
      onProgress,
      publicClient: readerOf(request),
      service,
      signal: stop.signal,
      timeout: 500,
      wallet: localWallet(request),
    });
    clearTimeout(timer);
    expect(`${codeOf(error)} after ${turns > 20 ? "many" : "few"} reports`).to.equal(
      "PAYMENT_UNSETTLED after few reports",
    );
  });

  it("a payment's twin alone: the signed bytes are kept, and a later run sends them by an honest node", async () => {
    const chain = fakeChain();
    const { kept, request } = twinNode(chain);
    let reports = 0;
    const onProgress = () => {
      if (++reports > 4) throw new Error("the process ends here");
    };
    const first = await tryPayment(chain, {
      onProgress,
      publicClient: readerOf(request),
      service: { calls: [], client: realClient(), sleeps: [] },
      timeout: 500,
      wallet: localWallet(request),
    });
    expect(chain.sent).to.have.length(0);
    paymentLedger.clear();
    const again = await tryPayment(chain, { state: first.saved });
    expect(codeOf(again.error)).to.equal(undefined);
    expect(chain.sent.map(({ hash }) => hash)).to.deep.equal([keccak256(kept[0] ?? "0x")]);
  });

  it("a speed-up found while the node refuses the signed bytes, and a crash: the state can be continued", async () => {
    const chain = fakeChain();
    let faster: Hex | undefined;
    const used = alterNode(chain, async (call, honest) => {
      const [first, second] = call.params ?? [];
      if (call.method === "eth_sendRawTransaction") {
        const { maxFeePerGas = 1n, ...fields } = parseTransaction(first as Hex);
        const { r: _r, s: _s, v: _v, yParity: _y, ...unsigned } = fields as typeof fields & { v?: bigint };
        const raised = { ...unsigned, maxFeePerGas: maxFeePerGas * 2n, type: "eip1559" };
        const raw = await account.signTransaction(raised as never);
        // The user sped it up in another wallet that has the key.
        if (faster === undefined) await honest({ method: call.method, params: [raw] });
        faster = raw;
        throw Object.assign(new Error("nonce too low"), { code: -32000 });
      }
      if (faster === undefined || call.method !== "eth_getBlockByNumber" || second !== true)
        return honest(call);
      return { ...((await honest(call)) as object), transactions: [shown(faster)] };
    });
    const onProgress = (event: ExecuteProgress) => {
      if (event.type === "item" && event.phase === "confirming") throw new Error("the process ends here");
    };
    const wallet = localWallet(used);
    const publicClient = readerOf(used);
    const first = await tryPayment(chain, { onProgress, publicClient, wallet });
    expect(first.error).to.include({ message: "the process ends here" });
    paymentLedger.clear();
    const again = await tryPayment(chain, { publicClient, state: first.saved, wallet });
    expect(codeOf(again.error)).to.equal(undefined);
    expect(chain.sent).to.have.length(1);
  });
});
