import { expect } from "chai";
import { createWalletClient, custom } from "viem";
import { getStatus } from "../../src/client/index.ts";
import { execute } from "../../src/execute/index.ts";
import { paymentLedger } from "../../src/execute/paymentLedger.ts";
import { useEmulator } from "../helpers/emulatorFixture.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { requestOf } from "../helpers/quotes/quoteChanges.ts";
import { quoteStage } from "../integration/verifyQuote/quoteStage.ts";

describe("attack: a node that shows an old transaction of the account in place of a payment", () => {
  const fixture = useEmulator();
  const { quoted, user } = quoteStage(fixture);
  beforeEach(() => paymentLedger.clear());

  it("a user who obeys the error, and looks at a node of one's own first: pays once", async () => {
    const { alpha } = fixture;
    const ask = (call: unknown) => alpha.reader.request(call as never) as Promise<unknown>;
    // An honest transaction of the past.
    const old = await alpha.wallet(0).sendTransaction({ to: user(), value: 7n });
    await alpha.reader.waitForTransactionReceipt({ hash: old });
    const shown = (await ask({ method: "eth_getTransactionByHash", params: [old] })) as object;
    let paid: unknown;
    const liar = async (call: { method: string; params?: unknown[] }): Promise<unknown> => {
      const answer = await ask(call);
      if (call.method === "eth_sendTransaction") paid = answer;
      if (paid === undefined) return answer;
      if (call.method === "eth_getTransactionReceipt") return null;
      if (call.method === "eth_getTransactionByHash") return { ...shown, hash: paid };
      if (call.method === "eth_getBlockByNumber" && call.params?.[1] === true)
        return { ...(answer as object), transactions: [shown] };
      return answer;
    };
    const transport = (request: unknown) => custom({ request: request as never }, { retryCount: 0 });
    const request = requestOf(fixture, "ETH", "ETH");
    const first = await quoted(request);
    const before = await alpha.reader.getBalance({ address: user() });
    const error = await failureOf(
      execute(fixture.client, {
        quote: first.quote,
        request,
        timeout: 5_000,
        verify: first.policy,
        wallet: createWalletClient({ account: user(), transport: transport(liar) }),
      }),
    );
    const { code, message, replacedBy } = error as {
      code: string;
      message: string;
      replacedBy?: `0x${string}`;
    };
    console.log(code, "|", message.split("\n").slice(2, 5).join(" "));
    // "Request a new quote once the other transaction is final", "by a node of your own".
    if (code === "TRANSACTION_REPLACED" && replacedBy !== undefined) {
      const { status } = await alpha.reader.getTransactionReceipt({ hash: replacedBy });
      console.log("the other transaction, by an honest node:", status);
      const second = await quoted(request);
      await execute(fixture.client, {
        publicClient: alpha.reader,
        quote: second.quote,
        request,
        timeout: 5_000,
        verify: second.policy,
        wallet: createWalletClient({ account: user(), transport: transport(ask) }),
      });
    }
    const spent = before - (await alpha.reader.getBalance({ address: user() }));
    const requestId = first.quote.steps.at(-1)?.requestId as string;
    const { status } = await getStatus(fixture.client, { requestId });
    const amount = BigInt(first.quote.details.currencyIn.amount);
    console.log({ firstRequest: status, paidAmounts: spent / amount });
    expect(spent / amount).to.equal(1n);
  }).timeout(40_000);
});
