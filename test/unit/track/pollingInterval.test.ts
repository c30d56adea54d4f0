import { expect } from "chai";
import {
  type Client,
  type StatusStream,
  trackDepositAddress,
  waitForRequest,
  watchRequest,
} from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { fakeService, json, rejectionOf } from "../client/support/fakeService.ts";
import { bridgeQuote, requestId, statusAnswer, user } from "../client/support/samples.ts";
import { fakeChain } from "../execute/support/fakeChain.ts";
import { fakeStream } from "./support/fakeStream.ts";
import type { VirtualClock } from "./support/VirtualClock.ts";

/** A quote whose steps are all complete: only the wait for the request is left. */
const paid = bridgeQuote().steps.map((step) => ({
  ...step,
  items: step.items.map((item) => ({ ...item, status: "complete" as const })),
})) as ReturnType<typeof bridgeQuote>["steps"];

type Timing = { pollingInterval?: number; stream?: StatusStream; timeout?: number };

async function drain(changes: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of changes);
}

/** Every function that polls. */
const pollers: Record<string, (client: Client, timing: Timing) => Promise<unknown>> = {
  execute: (client, timing) =>
    execute(client, { quote: bridgeQuote(paid), verify: false, wallet: fakeChain().wallet, ...timing }),
  trackDepositAddress: (client, { stream: _, ...timing }) =>
    drain(trackDepositAddress(client, { address: user, ...timing })),
  waitForRequest: (client, timing) => waitForRequest(client, { requestId, ...timing }),
  watchRequest: (client, timing) => drain(watchRequest(client, { requestId, ...timing })),
};

/** A stream that breaks and comes back twenty times a second, with an update in between. */
const flapping =
  (clock: VirtualClock): StatusStream =>
  (_client, { onDown, onLive, onUpdate, signal }) => {
    const turns = [onLive, () => onUpdate({ status: "pending" }), onDown];
    const next = (turn: number) => {
      turns[turn % turns.length]?.();
      if (!signal.aborted) clock.after(17, () => next(turn + 1));
    };
    clock.after(17, () => next(0));
  };

describe("the interval between polls", () => {
  for (const [name, poll] of Object.entries(pollers)) {
    it(`is refused by ${name} below a second, by its name, before anything is sent`, async () => {
      for (const pollingInterval of [999, 999.999, 1, 0, -1_000, Number.NaN, "1000" as never]) {
        const { calls, client } = fakeService([json(statusAnswer("success"))]);
        const error = await rejectionOf(poll(client, { pollingInterval }));
        expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "pollingInterval" });
        expect(calls).to.deep.equal([]);
      }
    });

    for (const [weather, { failsEvery = Number.POSITIVE_INFINITY, isFlapping = false }] of Object.entries({
      "nothing happens": {},
      "a stream breaks and comes back twenty times a second": { isFlapping: true },
      "every second request fails": { failsEvery: 2 },
    } as Record<string, { failsEvery?: number; isFlapping?: boolean }>)) {
      // @spec status-request/interval limit/polling
      it(`is at least a second between requests of ${name}, while ${weather}`, async () => {
        const fake = fakeStream(undefined, { retry: { count: 0 } });
        const { client, clock, polls } = fake;
        const idle = { ...statusAnswer("pending"), requests: [] };
        fake.answer = () => json(idle, polls.length % failsEvery === 0 ? 503 : 200);
        const timing = { pollingInterval: 1_000, timeout: 9_400 };
        const work = poll(client, { ...timing, ...(isFlapping && { stream: flapping(clock) }) });
        expect(await rejectionOf(clock.run(work))).to.include({ code: "TIMEOUT" });
        expect(polls.length).to.be.within(4, 10);
        const gaps = polls.slice(1).map((time, index) => time - (polls[index] ?? 0));
        expect(Math.min(...gaps)).to.be.at.least(1_000);
      });
    }
  }

  it("ends when it was waited for, though the clock was set back meanwhile", async () => {
    let back = 0;
    const sleep = async () => {
      back += 3_600_000;
    };
    const answers = ["waiting", "success"].map((status) => json(statusAnswer(status)));
    const { calls, client } = fakeService(answers, { now: () => Date.now() - back, sleep });
    expect(await waitForRequest(client, { requestId })).to.include({ status: "success" });
    expect(calls).to.have.length(2);
  });
});
