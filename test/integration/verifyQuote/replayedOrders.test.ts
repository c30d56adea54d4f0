import { expect } from "chai";
import { type Client, createClient, type Quote } from "../../../src/client/index.ts";
import { type ExecuteParameters, type ExecuteProgress, execute } from "../../../src/execute/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { recipient, type TestSymbol } from "../../helpers/quotes/intents.ts";
import { requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { moneyOf } from "./hostileQuotes.ts";
import { quoteStage } from "./quoteStage.ts";

type RunParameters = Pick<ExecuteParameters, "request" | "verify"> &
  Partial<ExecuteParameters> & { client?: Client };

/** An order is filled once: a second payment is lost. */
describe("a hostile service that repeats an order", () => {
  const fixture = useEmulator();
  const { quoted, robbedBy, user } = quoteStage(fixture);

  const asked = (symbol: TestSymbol = "USDC", more: object = {}) =>
    requestOf(fixture, symbol, symbol, more as never);
  const run = (quote: Quote, { client = fixture.client, ...parameters }: RunParameters) =>
    execute(client, {
      publicClient: fixture.alpha.reader,
      quote,
      timeout: 5_000,
      wallet: fixture.alpha.wallet(0),
      ...parameters,
    });
  const holding = () => fixture.alpha.balanceOf(fixture.alpha.currency("USDC"), user());
  const underAnother = (quote: Quote): Quote => {
    const copy = structuredClone(quote);
    for (const step of copy.steps) Object.assign(step, { requestId: `0x${"5a".repeat(32)}` });
    return copy;
  };
  const expectPaid = (error: unknown) => {
    expect(error).to.include({ code: "PAYMENT_CLAIMED" });
  };

  it("an order again under another request id is paid once", async () => {
    const request = asked();
    const { policy: verify, quote } = await quoted(request);
    await run(quote, { request, verify });
    expectPaid(await robbedBy(underAnother(quote), request, { verify }));
  });

  it("an order again under the same id is paid once, and a saved state follows the payment to its end", async () => {
    const request = asked("ETH");
    const { policy: verify, quote } = await quoted(request);
    const { state } = await run(quote, { request, verify });
    expectPaid(await robbedBy(quote, request, { verify }));
    const before = await moneyOf(fixture.alpha, user());
    expect(await run(quote, { request, state, verify })).to.include({ status: "success" });
    expect(await moneyOf(fixture.alpha, user())).to.deep.equal(before);
  });

  it("an order again after its permission was posted gets no other permission", async () => {
    const request = asked("USDC", { usePermit: true });
    const { policy: verify, quote } = await quoted(request);
    await run(quote, { request, verify });
    expectPaid(await robbedBy(quote, request, { verify }));
  });

  it("an order again during its payment is paid once", async () => {
    const request = asked("ETH");
    const { policy: verify, quote } = await quoted(request);
    const before = await moneyOf(fixture.beta, recipient);
    const runs = [quote, quote].map((each) => run(each, { request, verify }));
    const ends = await Promise.allSettled(runs);
    expect(ends.map(({ status }) => status).sort()).to.deep.equal(["fulfilled", "rejected"]);
    const refused = ends.find((end) => end.status === "rejected");
    expectPaid(refused?.reason);
    expect(await moneyOf(fixture.beta, recipient)).not.to.deep.equal(before);
  });

  it("an order whose deadline passed during earlier items is not paid", async () => {
    for (const more of [{}, { usePermit: true }]) {
      const request = asked("USDC", more);
      const { policy: verify, quote } = await quoted(request);
      let late = 0;
      const now = () => Date.now() + late;
      const client = createClient({ baseUrl: fixture.emulator.info.apiUrl, now });
      const [before, brought] = [await holding(), await moneyOf(fixture.beta, recipient)];
      const onProgress = (progress: ExecuteProgress) => {
        // The approval is mined, or the permit is signed.
        if (progress.type === "item" && /complete|submitting/.test(progress.phase)) late = 8 * 24 * 3_600_000;
      };
      const error = await failureOf(run(quote, { client, onProgress, request, verify }));
      expect(error).to.include({
        code: "QUOTE_DEADLINE",
        path: "protocol.v2.orderData.output.deadline",
      });
      expect(await holding()).to.equal(before);
      expect(await moneyOf(fixture.beta, recipient)).to.deep.equal(brought);
    }
  });

  it("an order is paid when the earlier run could not save its state, or the wallet rejected", async () => {
    const request = asked("ETH");
    const { policy: verify, quote } = await quoted(request);
    const onProgress = () => {
      throw new Error("the disk is full");
    };
    expect(await failureOf(run(quote, { onProgress, request, verify }))).to.include({
      message: "the disk is full",
    });
    const stop = new AbortController();
    const abort = () => stop.abort();
    await failureOf(run(quote, { onProgress: abort, request, signal: stop.signal, verify }));
    expect(await run(quote, { request, verify })).to.include({ status: "success" });
  });
});
