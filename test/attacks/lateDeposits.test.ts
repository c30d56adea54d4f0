import { expect } from "chai";
import { createClient } from "../../src/client/index.ts";
import { type ExecuteProgress, execute } from "../../src/execute/index.ts";
import { paymentLedger } from "../../src/execute/paymentLedger.ts";
import { useEmulator } from "../helpers/emulatorFixture.ts";
import { quickSleep } from "../helpers/quickSleep.ts";
import { requestOf } from "../helpers/quotes/quoteChanges.ts";
import { quoteStage } from "../integration/verifyQuote/quoteStage.ts";

/** docs/execute.md: order `deadline`: "a minute away at least". */
describe("attack: an approval that lasts nearly until the order's deadline", () => {
  const fixture = useEmulator();
  const { quoted, user } = quoteStage(fixture);
  beforeEach(() => paymentLedger.clear());

  it("a second before the deadline: nothing is paid, as no solver could fill it in time", async () => {
    const request = requestOf(fixture, "USDC", "USDC");
    const { policy: verify, quote } = await quoted(request);
    const deadline = Number(quote.protocol?.v2?.orderData?.output.deadline) * 1_000;
    let late = 0;
    const client = createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      now: () => (late === 0 ? Date.now() : deadline - 1_000),
      sleep: quickSleep,
    });
    const onProgress = (event: ExecuteProgress) => {
      if (event.type === "item" && event.step.id === "approve" && event.phase === "complete") late = 1;
    };
    const balance = () => fixture.alpha.balanceOf(fixture.alpha.currency("USDC"), user());
    const before = await balance();
    const result = await execute(client, {
      onProgress,
      publicClient: fixture.alpha.reader,
      quote,
      request,
      timeout: 5_000,
      verify,
      wallet: fixture.alpha.wallet(0),
    }).then(
      ({ status }) => status,
      ({ code }) => code as string,
    );
    console.log(result, "paid:", before - (await balance()));
    expect(await balance()).to.equal(before);
  }).timeout(30_000);
});
