import { expect } from "chai";
import { type Hex, keccak256 } from "viem";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import { rpcTransaction } from "../../helpers/rpcTransaction.ts";
import { alterNode, localWallet, readerOf, tryPayment } from "./support/alteredAnswers.ts";
import { account, fakeChain } from "./support/fakeChain.ts";

describe("execute and a transaction under another hash", () => {
  beforeEach(() => paymentLedger.clear());

  it("a node that keeps the bytes and shows them under another hash: the state keeps them, and a later run sends them", async () => {
    const [chain, honest] = [fakeChain(), fakeChain()];
    let raw: Hex = "0x";
    const request = alterNode(chain, async ({ method, params = [] }, ask) => {
      if (method === "eth_sendRawTransaction") {
        raw = params[0] as Hex;
        return keccak256(raw);
      }
      if (method === "eth_getTransactionByHash" || method === "eth_getTransactionReceipt") return null;
      if (method === "eth_getTransactionCount") return raw === "0x" ? "0x0" : "0x1";
      const answer = await ask({ method, params });
      if (method !== "eth_getBlockByNumber" || params[1] !== true || raw === "0x") return answer;
      return {
        ...(answer as object),
        transactions: [{ ...rpcTransaction(raw, account.address), hash: `0x${"77".repeat(32)}` }],
      };
    });
    const publicClient = readerOf(request);
    const { error, saved } = await tryPayment(chain, {
      publicClient,
      timeout: 2_000,
      wallet: localWallet(request),
    });
    expect(error).to.have.property("code", "PAYMENT_UNSETTLED");
    paymentLedger.clear();
    expect((await tryPayment(honest, { state: saved as never })).status).to.equal("success");
    expect(honest.sent.map(({ hash }) => hash)).to.deep.equal([keccak256(raw)]);
  });
});
