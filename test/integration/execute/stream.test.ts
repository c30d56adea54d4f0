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

  type Options = Partial<ExecuteParameters> & {
    onLive?: () => Promise<void>;
    onPoll?: (polls: number) => Promise<void>;
  };

  /** Executes a quote with a client whose polls are counted, before and while its stream is live. */
  async function run({ onLive, onPoll, ...more }: Options = {}) {
    let [polls, livePolls, isLive] = [0, 0, false];
    const client = createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      fetch: async (address, init) => {
        if (address.includes("/intents/status")) {
          polls += 1;
          if (isLive) livePolls += 1;
          await onPoll?.(polls);
        }
        return fetch(address, init);
      },
      sleep: quickSleep,
    });
    const open = websocketStream({ url: fixture.emulator.info.wsUrl });
    const quote = await quoteOf(fixture);
    const statuses: string[] = [];
    const outcome = await execute(client, {
      onProgress: async (event) => {
        if (event.type === "status") statuses.push(event.progress.status);
      },
      quote,
      stream: (_, listener) =>
        open(client, {
          ...listener,
          onLive: () => {
            isLive = true;
            listener.onLive();
            void onLive?.();
          },
        }),
      timeout: 20_000,
      verify: false,
      wallet: fixture.alpha.wallet(0),
      ...more,
    });
    return { livePolls, outcome, polls, statuses };
  }

  /** Holds the next fill until the returned function is called. */
  async function holdFill(): Promise<() => Promise<unknown>> {
    const { faults } = fixture.emulator.control;
    const { id } = await faults.add({ delayMs: 3_600_000, kind: "fill-slow" });
    return () => faults.remove(id);
  }

  it("ends by a stream event, and polls once the stream is connected, and to confirm the end", async () => {
    const fill = await holdFill();
    const onLive = async () => {
      // Thirty polls without the stream.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await fill();
    };
    const { livePolls, outcome, statuses } = await run({ onLive });
    expect(outcome.status).to.equal("success");
    expect(outcome.txHashes).to.have.length(1);
    expect(statuses.at(-1)).to.equal("success");
    // A stream can be forged: a poll confirms the end that it reports.
    expect(livePolls).to.be.within(1, 2);
  });

  it("polls in the gap of a restart, which stays invisible", async () => {
    const fill = await holdFill();
    let closed: number | undefined;
    const onLive = async () => {
      if (closed !== undefined) return;
      closed = 0;
      ({ closed } = await fixture.emulator.websocket.restart());
      await fill();
    };
    const { outcome, statuses } = await run({ onLive });
    expect(closed).to.equal(1);
    expect(outcome.status).to.equal("success");
    expect(statuses).to.deep.equal([...new Set(statuses)]);
    expect(statuses.at(-1)).to.equal("success");
  });

  it("polls where the stream is unreachable", async () => {
    const stream = websocketStream({ url: "ws://127.0.0.1:1/" });
    const { outcome, polls } = await run({ stream });
    expect(outcome.status).to.equal("success");
    expect(polls).to.be.at.least(1);
  });

  it("reports a refund with the reason from a poll", async () => {
    await fixture.emulator.control.faults.add({ failReason: "SLIPPAGE", kind: "fill-fails" });
    expect(await failureOf(run())).to.include({ code: "REQUEST_REFUNDED", failReason: "SLIPPAGE" });
  });

  for (const [what, stream, parameter] of [
    ["a text", "wss://ws.example", "stream"],
    ["without the url that another service needs", websocketStream(), "url"],
  ] as const) {
    it(`a stream that is ${what}: is refused before anything is sent`, async () => {
      const client = createClient({ baseUrl: fixture.emulator.info.apiUrl, sleep: quickSleep });
      const quote = await quoteOf(fixture);
      const wallet = fixture.alpha.wallet(0);
      const count = () => fixture.alpha.reader.getTransactionCount(wallet.account);
      const before = await count();
      const error = await failureOf(execute(client, { quote, stream, verify: false, wallet } as never));
      expect(error).to.include({ code: "INVALID_PARAMETER", parameter });
      expect(await count()).to.equal(before);
    });
  }
});
