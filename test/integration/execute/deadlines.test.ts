import { expect } from "chai";
import { createWalletClient, custom } from "viem";
import { createClient, type Quote } from "../../../src/client/index.ts";
import {
  type ExecuteParameters,
  type ExecuteProgress,
  type ExecutionState,
  execute,
} from "../../../src/execute/index.ts";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { quoteStage } from "../verifyQuote/quoteStage.ts";

const day = 86_400_000;

describe("execute and the deadline of an order", () => {
  const fixture = useEmulator();
  const { quoted, user } = quoteStage(fixture);
  beforeEach(() => paymentLedger.clear());

  type Paid = Pick<ExecuteParameters, "quote" | "request" | "verify">;
  const parameters = () => ({
    publicClient: fixture.alpha.reader,
    timeout: 5_000,
    wallet: fixture.alpha.wallet(0),
  });
  const clientAt = (now: () => number, fetchBy?: typeof fetch) =>
    createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      now,
      sleep: quickSleep,
      ...(fetchBy && { fetch: fetchBy }),
    });
  async function payment(symbol: "ETH" | "USDC" = "ETH", more: object = {}): Promise<Paid> {
    const request = requestOf(fixture, symbol, symbol, more as never);
    const { policy: verify, quote } = await quoted(request);
    return { quote, request, verify };
  }
  const deadlineOf = (quote: Quote) => Number(quote.protocol?.v2?.orderData?.output.deadline) * 1_000;
  const nonceNow = () => fixture.alpha.reader.getTransactionCount({ address: user() });

  it("a payment by a clock that is ahead, two minutes, and a run by the right clock: the order is paid once", async () => {
    const paid = await payment();
    const left = deadlineOf(paid.quote) - Date.now();
    const before = await nonceNow();
    // The order is open for 75 seconds more by this clock, and for much longer in truth.
    const ahead = left - 75_000;
    await execute(
      clientAt(() => Date.now() + ahead),
      { ...parameters(), ...paid },
    );
    expect((await nonceNow()) - before).to.equal(1);
    const real = performance.now.bind(performance);
    performance.now = () => real() + 120_000;
    try {
      // Two minutes later the system's clock was set right, and the order is still open.
      const again = await failureOf(execute(fixture.client, { ...parameters(), ...paid })).catch(
        () => undefined,
      );
      expect((await nonceNow()) - before).to.equal(1);
      expect(again).to.have.property("code", "PAYMENT_CLAIMED");
    } finally {
      performance.now = real;
    }
  });

  it("a save that takes until the order's deadline is over: the wallet is not asked to pay", async () => {
    const paid = await payment();
    let late = 0;
    const asked: string[] = [];
    const { request } = fixture.alpha.reader;
    const counting = async (call: { method: string; params?: unknown }) => {
      asked.push(call.method);
      return request(call as never);
    };
    const wallet = createWalletClient({
      account: user(),
      transport: custom({ request: counting }, { retryCount: 0 }),
    });
    const onProgress = (event: ExecuteProgress) => {
      if (event.type === "item" && event.phase === "sending") late = 8 * day;
    };
    const run = execute(
      clientAt(() => Date.now() + late),
      { ...parameters(), ...paid, batch: "never", onProgress, wallet },
    );
    const error = await run.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(asked).to.not.include("eth_sendTransaction");
    expect(error).to.have.property("code", "QUOTE_DEADLINE");
  });

  it("a permission that was taken, and a resume after the order's deadline: no error says that nothing was sent", async () => {
    const paid = await payment("USDC", { usePermit: true });
    let state: ExecutionState | undefined;
    const onProgress = (event: ExecuteProgress) => {
      state = JSON.parse(JSON.stringify(event.state));
    };
    const balance = () => fixture.alpha.balanceOf(fixture.alpha.currency("USDC"), user());
    const before = await balance();
    // The service takes the permission, and its answer is lost.
    const losing = clientAt(Date.now, async (url, init) => {
      const answer = await fetch(url, init);
      if (init?.method !== "POST") return answer;
      throw new TypeError("fetch failed");
    });
    const first = await failureOf(execute(losing, { ...parameters(), ...paid, onProgress }));
    expect(first).to.have.property("code", "PAYMENT_UNSETTLED");
    for (let tries = 0; (await balance()) === before && tries < 50; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await balance()) < before).to.equal(true);
    for (const isNewProcess of [false, true]) {
      if (isNewProcess) paymentLedger.clear();
      const late = clientAt(() => Date.now() + 8 * day);
      const again = await execute(late, { ...parameters(), ...paid, state }).then(
        ({ status }) => status,
        ({ code }) => code,
      );
      expect(again).to.be.oneOf(["success", "PAYMENT_UNSETTLED"]);
    }
  });

  it("a payment continued with a quote that lost its order: the order is paid once, also under another request id", async () => {
    const paid = await payment();
    let state: ExecutionState | undefined;
    const stop = new AbortController();
    const onProgress = (event: ExecuteProgress) => {
      state = JSON.parse(JSON.stringify(event.state));
      stop.abort();
    };
    const before = await nonceNow();
    await failureOf(execute(fixture.client, { ...parameters(), ...paid, onProgress, signal: stop.signal }));
    // Another process continues; its service answered without the order, which no proof compares any more.
    paymentLedger.clear();
    const without = structuredClone(paid.quote);
    delete (without as { protocol?: unknown }).protocol;
    await execute(fixture.client, { ...parameters(), ...paid, quote: without, state }).catch(() => undefined);
    const replayed = structuredClone(paid.quote);
    for (const step of replayed.steps) Object.assign(step, { requestId: `0x${"5a".repeat(32)}` });
    await execute(fixture.client, { ...parameters(), ...paid, quote: replayed, timeout: 2_000 }).catch(
      () => undefined,
    );
    expect((await nonceNow()) - before).to.be.at.most(1);
  });

  it("a payment that a wallet sent without an answer, resumed after the order's deadline: is found", async () => {
    const paid = await payment("ETH", { ttl: 120 });
    const { request } = fixture.alpha.reader;
    const losing = async (call: { method: string; params?: unknown }) => {
      const answer = await request(call as never);
      if (call.method !== "eth_sendTransaction") return answer;
      throw Object.assign(new Error("disconnected"), { code: 4900 });
    };
    const transport = custom({ request: losing }, { retryCount: 0 });
    const wallet = createWalletClient({ account: user(), transport });
    let state: ExecutionState | undefined;
    const onProgress = (event: ExecuteProgress) => {
      state = JSON.parse(JSON.stringify(event.state));
    };
    const common = { ...parameters(), ...paid, wallet };
    const first = await failureOf(execute(fixture.client, { ...common, onProgress }));
    expect(first).to.have.property("code", "PAYMENT_UNSETTLED");
    paymentLedger.clear();
    const late = clientAt(() => deadlineOf(paid.quote) + 60_000 + (performance.now() % 1_000));
    expect(await execute(late, { ...common, state })).to.have.property("status", "success");
  });

  it("an approval that lasts until a second before the order's deadline: nothing is paid", async () => {
    const paid = await payment("USDC");
    let isLate = false;
    const client = clientAt(() => (isLate ? deadlineOf(paid.quote) - 1_000 : Date.now()));
    const onProgress = (event: ExecuteProgress) => {
      isLate ||= event.type === "item" && event.step.id === "approve" && event.phase === "complete";
    };
    const balance = () => fixture.alpha.balanceOf(fixture.alpha.currency("USDC"), user());
    const before = await balance();
    const error = await failureOf(execute(client, { ...parameters(), ...paid, onProgress }));
    expect(error).to.have.property("code", "QUOTE_DEADLINE");
    expect(await balance()).to.equal(before);
  });
});
