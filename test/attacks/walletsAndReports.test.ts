import { expect } from "chai";
import { createWalletClient, custom } from "viem";
import type { ExecuteProgress } from "../../src/execute/index.ts";
import { paymentLedger } from "../../src/execute/paymentLedger.ts";
import { fakeService, json } from "../unit/client/support/fakeService.ts";
import { bridgeQuote, depositStep } from "../unit/client/support/samples.ts";
import { sendingWallet, tryPayment } from "../unit/execute/support/alteredAnswers.ts";
import { success } from "../unit/execute/support/attempt.ts";
import { account, fakeChain } from "../unit/execute/support/fakeChain.ts";
import { approveStep } from "../unit/execute/support/steps.ts";

const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code;

describe("attack: wallets, reports and the ledger", () => {
  beforeEach(() => paymentLedger.clear());

  it("a save that fails at the second item of a batch, before the wallet is asked: a later run of the process pays", async () => {
    const chain = fakeChain({ allowances: [5n] });
    const asked: string[] = [];
    const request = async ({
      method,
      params = [],
    }: {
      method: string;
      params?: unknown[];
    }): Promise<unknown> => {
      asked.push(method);
      if (method === "wallet_getCapabilities") return { "0x0": { atomic: { status: "supported" } } };
      if (method === "wallet_sendCalls") return { id: "0x01" };
      if (method === "wallet_getCallsStatus") {
        if ((params as [string])[0] === "0x01") return { status: 200 };
        throw Object.assign(new Error("unknown bundle"), { code: 5730 });
      }
      return chain.request({ method, params });
    };
    const wallet = createWalletClient({
      account: account.address,
      transport: custom({ request }, { retryCount: 0 }),
    });
    const quote = bridgeQuote([approveStep(), depositStep()]);
    let events = 0;
    const onProgress = (event: ExecuteProgress) => {
      if (event.type === "item" && ++events === 2) throw new Error("QuotaExceededError");
    };
    const first = await tryPayment(chain, { onProgress, quote, wallet });
    expect(String(first.error)).to.include("QuotaExceededError");
    expect(asked).to.not.include("wallet_sendCalls");
    const again = await tryPayment(chain, { quote, wallet });
    console.log(String(again.error).split("\n")[0]);
    expect(again.status).to.equal("success");
  });

  it("a wallet that writes its hash in capitals: the mined payment is followed", async () => {
    const chain = fakeChain();
    const wallet = sendingWallet(chain, (hash) => `0x${String(hash).slice(2).toUpperCase()}`);
    const first = await tryPayment(chain, { wallet });
    paymentLedger.clear();
    const again = await tryPayment(chain, { state: first.saved, wallet });
    console.log(
      String(first.error).split("\n")[0],
      "| again:",
      codeOf(again.error),
      "| sent:",
      chain.sent.length,
    );
    expect(first.status).to.equal("success");
  });

  it("a service that knows a request from its deposit on, as the command allows for: the payment is followed", async () => {
    const missing = json({ message: "Request not found" }, 404);
    const chain = fakeChain();
    const { error, status } = await tryPayment(chain, { service: fakeService([missing, missing, success]) });
    console.log(codeOf(error), "| sent:", chain.sent.length);
    expect(status).to.equal("success");
  });
});
