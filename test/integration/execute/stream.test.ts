import { expect } from "chai";
import { createClient } from "../../../src/client/createClient.ts";
import { type ExecuteParameters, execute } from "../../../src/execute/execute.ts";
import { websocketStream } from "../../../src/track/websocketStream.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { quoteOf } from "../../helpers/requests/requestRun.ts";

describe("execute with the service's stream", () => {
  const fixture = useEmulator();
  afterEach(() => fixture.emulator.control.reset());

  type Options = Partial<ExecuteParameters> & { onStatus?: (status: string) => Promise<void> };

  /** Executes a quote with a client whose polls are counted. */
  async function run({ onStatus, ...more }: Options = {}) {
    let polls = 0;
    const client = createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      fetch: (address, init) => {
        if (address.includes("/intents/status")) polls += 1;
        return fetch(address, init);
      },
    });
    const quote = await quoteOf(fixture);
    const statuses: string[] = [];
    const outcome = await execute(client, {
      onProgress: async (event) => {
        if (event.type !== "status") return;
        statuses.push(event.progress.status);
        await onStatus?.(event.progress.status);
      },
      quote,
      stream: websocketStream({ url: fixture.emulator.info.wsUrl }),
      timeout: 20_000,
      verify: false,
      wallet: fixture.alpha.wallet(0),
      ...more,
    });
    return { outcome, polls, statuses };
  }

  it("ends by a stream event, and polls at the start, once the stream is connected, and to confirm the end", async () => {
    await fixture.emulator.control.faults.add({ delayMs: 2_500, kind: "fill-slow" });
    const { outcome, polls, statuses } = await run();
    expect(outcome.status).to.equal("success");
    expect(outcome.txHashes).to.have.length(1);
    expect(statuses.at(-1)).to.equal("success");
    // A stream can be forged: a poll within a second confirms the end that it reports.
    expect(polls).to.be.within(2, 3);
    // Without the stream there would be a poll every second.
    await fixture.emulator.control.faults.add({ delayMs: 3_500, kind: "fill-slow" });
    expect((await run({ stream: undefined })).polls).to.be.at.least(4);
  }).timeout(20_000);

  it("polls in the gap of a restart, which stays invisible", async () => {
    await fixture.emulator.control.faults.add({ delayMs: 2_000, kind: "fill-slow" });
    let closed = 0;
    const { outcome, statuses } = await run({
      onStatus: async (status) => {
        if (status !== "pending") return;
        // The stream is connected by then.
        await new Promise((resolve) => setTimeout(resolve, 700));
        ({ closed } = await fixture.emulator.websocket.restart());
      },
    });
    expect(closed).to.equal(1);
    expect(outcome.status).to.equal("success");
    expect(statuses).to.deep.equal([...new Set(statuses)]);
    expect(statuses.at(-1)).to.equal("success");
  }).timeout(20_000);

  it("polls where the stream is unreachable", async () => {
    const stream = websocketStream({ url: "ws://127.0.0.1:1/" });
    const { outcome, polls } = await run({ stream });
    expect(outcome.status).to.equal("success");
    expect(polls).to.be.at.least(1);
  }).timeout(20_000);

  it("reports a refund with the reason from a poll", async () => {
    await fixture.emulator.control.faults.add({ failReason: "SLIPPAGE", kind: "fill-fails" });
    expect(await failureOf(run())).to.include({ code: "REQUEST_REFUNDED", failReason: "SLIPPAGE" });
  }).timeout(20_000);

  it("rejects an invalid stream before anything is sent", async () => {
    const client = createClient({ baseUrl: fixture.emulator.info.apiUrl, sleep: quickSleep });
    const quote = await quoteOf(fixture);
    const parameters = { quote, stream: "wss://ws.example", wallet: fixture.alpha.wallet(0) };
    const error = await failureOf(execute(client, parameters as never));
    expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "stream" });
  });
});
