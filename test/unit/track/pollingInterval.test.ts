import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import {
  type Client,
  createClient,
  type StatusStream,
  trackDepositAddress,
  waitForRequest,
  watchRequest,
} from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { fakeService, json, rejectionOf } from "../client/support/fakeService.ts";
import { bridgeQuote, requestId, statusAnswer, user } from "../client/support/samples.ts";
import { fakeChain } from "../execute/support/fakeChain.ts";

/** What is left to do of it is to wait. */
const paid = bridgeQuote().steps.map((step) => ({
  ...step,
  items: step.items.map((item) => ({ ...item, status: "complete" as const })),
})) as ReturnType<typeof bridgeQuote>["steps"];

type Timing = { pollingInterval?: number; stream?: StatusStream; timeout?: number };

async function drain(changes: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of changes);
}

/** All that polls. */
const pollers: { name: string; poll: (client: Client, timing: Timing) => Promise<unknown> }[] = [
  {
    name: "watchRequest",
    poll: (client, timing) => drain(watchRequest(client, { requestId, ...timing })),
  },
  { name: "waitForRequest", poll: (client, timing) => waitForRequest(client, { requestId, ...timing }) },
  {
    name: "trackDepositAddress",
    poll: (client, { stream: _, ...timing }) =>
      drain(trackDepositAddress(client, { address: user, ...timing })),
  },
  {
    name: "execute",
    poll: (client, timing) =>
      execute(client, { quote: bridgeQuote(paid), verify: false, wallet: fakeChain().wallet, ...timing }),
  },
];

/** A stream that breaks and comes back twenty times a second, and talks in between. */
const flapping: StatusStream = (_client, { onDown, onLive, onUpdate, signal }) => {
  const turns = [onLive, () => onUpdate({ status: "pending" }), onDown];
  let turn = 0;
  const timer = setInterval(() => turns[turn++ % turns.length]?.(), 17);
  signal.addEventListener("abort", () => clearInterval(timer));
};

/** A service in which nothing ever happens, and when it was asked. */
async function startIdleService(statusOf: (count: number) => number) {
  const times: number[] = [];
  const server = createServer((request, response) => {
    times.push(performance.now());
    const body = request.url?.startsWith("/requests") ? { requests: [] } : statusAnswer("pending");
    response.writeHead(statusOf(times.length), { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop, times };
}

describe("the interval between polls", () => {
  for (const { name, poll } of pollers) {
    it(`is refused by ${name} below a second, by its name, before anything is sent`, async () => {
      for (const pollingInterval of [999, 999.999, 1, 0, -1_000, Number.NaN, "1000" as never]) {
        const { calls, client } = fakeService([json(statusAnswer("success"))]);
        const error = await rejectionOf(poll(client, { pollingInterval }));
        expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "pollingInterval" });
        expect(calls).to.deep.equal([]);
      }
    });
  }

  const weathers: { name: string; statusOf: (count: number) => number; stream?: StatusStream }[] = [
    { name: "nothing happens", statusOf: () => 200 },
    { name: "a stream breaks and comes back all the time", statusOf: () => 200, stream: flapping },
    { name: "the service fails now and then", statusOf: (count) => (count % 2 === 0 ? 503 : 200) },
  ];
  it("is at least a second between requests, for every poller", async () => {
    await Promise.all(
      pollers.flatMap(({ name, poll }) =>
        weathers.map(async (weather) => {
          const { baseUrl, stop, times } = await startIdleService(weather.statusOf);
          const { stream } = weather;
          const timing = {
            pollingInterval: 1_000,
            timeout: 3_400,
            ...(stream === undefined ? {} : { stream }),
          };
          try {
            const client = createClient({ baseUrl, retry: { count: 0 } });
            expect(await rejectionOf(poll(client, timing))).to.include({ code: "TIMEOUT" });
          } finally {
            stop();
          }
          const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
          const where = `${name}, while ${weather.name}`;
          expect(times.length, where).to.be.within(2, 4);
          // A timer may fire a millisecond early.
          expect(Math.min(...gaps), where).to.be.at.least(995);
        }),
      ),
    );
  }).timeout(15_000);

  it("ends when it was waited for, though the clock was set back meanwhile", async () => {
    let back = 0;
    const { calls, client } = fakeService(
      [json(statusAnswer("waiting")), json(statusAnswer("success", { txHashes: [] }))],
      {
        now: () => Date.now() - back,
        sleep: async () => {
          back += 3_600_000;
        },
      },
    );
    expect(await waitForRequest(client, { requestId })).to.include({ status: "success" });
    expect(calls).to.have.length(2);
  });
});
