import { expect } from "chai";
import { startChains, startEmulator } from "../../../emulator/index.ts";
import { type EmulatorFixture, startFixture } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { quoteOf, requestIdOf, runToEnd } from "../../helpers/requests/requestRun.ts";

const day = 86_400_000;
/** Tolerated delay of a reading on a slow machine, in milliseconds. */
const slack = 20_000;

describe("a start at a given time", () => {
  const running: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
  });
  const start = async (parameters: Parameters<typeof startFixture>[0]): Promise<EmulatorFixture> => {
    const fixture = await startFixture(parameters);
    running.push(fixture);
    return fixture;
  };
  const timesOf = async ({ alpha, beta }: EmulatorFixture) => {
    const blocks = [alpha, beta].flatMap(({ reader }) => [
      reader.getBlock({ blockNumber: 0n }),
      reader.getBlock(),
    ]);
    return (await Promise.all(blocks)).map(({ timestamp }) => Number(timestamp) * 1_000);
  };
  const listing = async ({ emulator }: EmulatorFixture) => {
    const key = emulator.info.apiKeys[0]?.key ?? "";
    const url = `${emulator.info.apiUrl}/requests/v2`;
    return emulator.fetch(new Request(url, { headers: { "x-api-key": key } }));
  };

  it("a start years in the past: blocks, statuses, deadlines and the older listing are of that time", async () => {
    const now = Date.UTC(2024, 1, 29);
    const fixture = await start({ now });
    const { clock } = fixture.emulator.control;
    expect(clock.read().now).to.be.within(now, now + slack);
    for (const time of await timesOf(fixture)) expect(time).to.be.within(now - 1_000, now + slack);
    const quote = await quoteOf(fixture);
    const { deadline } = quote.protocol?.v2?.orderData?.output ?? {};
    expect(Number(deadline) * 1_000).to.be.within(now + 7 * day - 1_000, now + 7 * day + slack);
    const { status, updatedAt } = await runToEnd(fixture, quote);
    expect(status).to.equal("success");
    expect(updatedAt).to.be.within(now, now + slack);
    for (const time of await timesOf(fixture)) expect(time).to.be.within(now - 1_000, now + slack);
    expect((await listing(fixture)).status).to.equal(200);
  });

  it("a start in the last month of the older listing: its limit has shrunk, and it ends with the month", async () => {
    const now = Date.UTC(2026, 10, 23, 23, 58);
    const { emulator } = await start({ now, rateLimits: true, requestsV2Sunset: "2026-11-24T00:00:00.000Z" });
    const answered = async () => (await listing({ emulator } as EmulatorFixture)).status;
    // 200 a minute until August; an eighth of it in November.
    for (let count = 0; count < 25; count++) expect(await answered()).to.equal(200);
    expect(await answered()).to.equal(429);
    await emulator.control.clock.advance(120_000);
    expect(await answered()).to.equal(410);
  });

  it("a reset returns to the start time, and not to the system time", async () => {
    const now = Date.UTC(2030, 0, 1);
    const fixture = await start({ now: new Date(now) });
    const { control } = fixture.emulator;
    await control.clock.advance(day);
    await control.reset();
    expect(control.clock.read().now).to.be.within(now, now + slack);
    const { status, updatedAt } = await runToEnd(fixture, await quoteOf(fixture));
    expect(status).to.equal("success");
    expect(updatedAt).to.be.within(now, now + slack);
  });

  it("an invalid start time, or one before the head of a running chain, is rejected", async () => {
    const text = "2026" as unknown as number;
    for (const wrong of [Number.NaN, -1, 1.5, 253_402_300_800_000, new Date("never"), text]) {
      const error = await failureOf(startEmulator({ chainPorts: [0, 0], now: wrong, port: 0 }));
      expect(error, String(wrong)).to.match(/`now` is invalid: .*1970 to 9999/);
    }
    const { chains, close } = await startChains({ chainPorts: [0, 0], now: Date.UTC(2028, 0, 1) });
    running.push({ stop: close });
    const newest = await Promise.all(chains.map(({ client }) => client.getBlock()));
    const [alphaAt = 0, betaAt = 0] = newest.map(({ timestamp }) => Number(timestamp) * 1_000);
    expect(alphaAt).to.be.within(Date.UTC(2028, 0, 1), Date.UTC(2028, 0, 1) + slack);
    const now = Math.max(alphaAt, betaAt);
    const elsewhere = chains.map(({ definition, rpcUrl }) => ({ id: definition.id, rpcUrl }));
    const error = await failureOf(startEmulator({ chains: elsewhere, now: alphaAt - 1_000, port: 0 }));
    expect(String(error)).to.include(`the newest block of alpha is of ${new Date(alphaAt).toISOString()}`);
    expect(await chains[0]?.client.getBlockNumber()).to.equal(0n);
    const fixture = await start({ chainPorts: undefined, chains: elsewhere, now });
    const { updatedAt } = await runToEnd(fixture, await quoteOf(fixture));
    expect(updatedAt).to.be.within(now, now + slack);
    expect(requestIdOf(await quoteOf(fixture))).to.match(/^0x/);
  });
});
