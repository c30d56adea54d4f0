import { expect } from "chai";
import { createWalletClient, custom } from "viem";
import { createClient, type Quote } from "../../src/client/index.ts";
import { type ExecuteProgress, type ExecutionState, execute } from "../../src/execute/index.ts";
import { paymentLedger } from "../../src/execute/paymentLedger.ts";
import { useEmulator } from "../helpers/emulatorFixture.ts";
import { failureOf } from "../helpers/failureOf.ts";
import { quickSleep } from "../helpers/quickSleep.ts";
import { requestOf } from "../helpers/quotes/quoteChanges.ts";
import { quoteStage } from "../integration/verifyQuote/quoteStage.ts";

/** docs/execute.md, State: "`sending`: a wallet was asked, and the outcome is unknown: it is looked for". */
describe("attack: a payment that a wallet sent before the page was closed, resumed after the order's deadline", () => {
  const fixture = useEmulator();
  const { quoted, user } = quoteStage(fixture);
  beforeEach(() => paymentLedger.clear());

  for (const [what, late] of [
    ["ten minutes before", -600_000],
    ["a minute after", 60_000],
  ] as const) {
    it(`${what} the deadline: the mined and filled payment is found`, async () => {
      const request = requestOf(fixture, "ETH", "ETH", (late > 0 ? { ttl: 120 } : {}) as never);
      const { policy: verify, quote } = await quoted(request);
      const deadline = Number((quote as Quote).protocol?.v2?.orderData?.output.deadline) * 1_000;
      const before = await fixture.alpha.reader.getTransactionCount({ address: user() });
      const node = async (call: { method: string; params?: unknown }) => {
        const answer = await fixture.alpha.reader.request(call as never);
        if (call.method !== "eth_sendTransaction") return answer;
        // Sent; the page is closed before the answer is read.
        throw Object.assign(new Error("disconnected"), { code: 4900 });
      };
      const wallet = createWalletClient({
        account: user(),
        transport: custom({ request: node }, { retryCount: 0 }),
      });
      let state: ExecutionState | undefined;
      const onProgress = (event: ExecuteProgress) => {
        state = JSON.parse(JSON.stringify(event.state));
      };
      const common = { publicClient: fixture.alpha.reader, quote, request, timeout: 5_000, verify, wallet };
      const first = await failureOf(execute(fixture.client, { ...common, onProgress }));
      expect(first).to.have.property("code", "PAYMENT_UNSETTLED");
      expect((await fixture.alpha.reader.getTransactionCount({ address: user() })) - before).to.equal(1);
      paymentLedger.clear();
      const client = createClient({
        baseUrl: fixture.emulator.info.apiUrl,
        now: () => deadline + late + (performance.now() % 1_000),
        sleep: quickSleep,
      });
      const again = await execute(client, { ...common, state }).then(
        ({ status }) => status,
        (error: Error & { cause?: Error }) =>
          `${error.message.split("\n")[0]} <- ${String(error.cause).split("\n")[0]}`,
      );
      console.log(
        what,
        "|",
        state?.items[0]?.status,
        "|",
        again,
        "| deadline in s:",
        Math.round((deadline - Date.now()) / 1000),
      );
      expect(again).to.equal("success");
    }).timeout(30_000);
  }
});
