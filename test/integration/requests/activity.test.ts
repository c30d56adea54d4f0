import { expect } from "chai";
import { type Emulator, startEmulator } from "../../../emulator/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { endOf, quoteFor, requestIdOf } from "../../helpers/quotes/intents.ts";

type Batch = {
  readonly after: string;
  readonly activities: readonly {
    readonly kind: string;
    readonly requestId?: string;
    readonly trigger?: string;
  }[];
};

describe("the stream of activity", () => {
  const fixture = useEmulator();

  /** Reads lines until one fits. */
  async function read(
    until: (batches: readonly Batch[]) => boolean,
    { after, emulator = fixture.emulator }: { after?: string; emulator?: Emulator } = {},
  ): Promise<readonly Batch[]> {
    const stop = new AbortController();
    const query = after === undefined ? "" : `?after=${after}`;
    const answer = await fetch(`${emulator.info.apiUrl}/admin/activity${query}`, {
      headers: { "x-admin-key": emulator.info.adminKey },
      signal: stop.signal,
    });
    expect(answer.headers.get("content-type")).to.equal("application/x-ndjson");
    const batches: Batch[] = [];
    let text = "";
    for await (const chunk of answer.body ?? []) {
      text += new TextDecoder().decode(chunk);
      const lines = text.split("\n");
      text = lines.pop() ?? "";
      batches.push(...lines.map((line) => JSON.parse(line) as Batch));
      if (until(batches)) break;
    }
    stop.abort();
    return batches;
  }

  const triggersOf = (batches: readonly Batch[], id: string) =>
    batches
      .flatMap(({ activities }) => activities)
      .filter(({ requestId }) => requestId === id)
      .map(({ trigger }) => trigger);

  async function begin(): Promise<string> {
    const [first] = await read(() => true);
    return first?.after ?? "";
  }

  it("a client without a position: gets the present end at once, then every change in its order", async () => {
    const after = await begin();
    const quote = await quoteFor(fixture, { from: "ETH", to: "ETH" });
    await endOf(fixture, quote);
    const id = requestIdOf(quote);
    const batches = await read((seen) => triggersOf(seen, id).includes("fill-succeeded"), { after });
    const whole = ["quoted", "deposit-accepted", "fill-submitted", "fill-succeeded"];
    expect(triggersOf(batches, id)).to.deep.equal(whole);
  });

  it("a client that continues at any of its positions: misses nothing and gets nothing twice", async () => {
    const after = await begin();
    const quote = await quoteFor(fixture, { from: "ETH", to: "ETH" });
    const id = requestIdOf(quote);
    await endOf(fixture, quote);
    const isWhole = (batches: readonly Batch[]) => triggersOf(batches, id).includes("fill-succeeded");
    const whole = await read(isWhole, { after });
    for (const [place, { after: then }] of whole.entries()) {
      const rest = triggersOf(whole.slice(place + 1), id);
      if (rest.length === 0) continue;
      expect(triggersOf(await read(isWhole, { after: then }), id)).to.deep.equal(rest);
    }
  });

  it("a position beyond the end, as of another database: begins at the end", async () => {
    const [first] = await read(() => true, { after: "999999999.999999999.999999999" });
    expect(first).to.deep.equal({ activities: [], after: await begin() });
  });

  it("a text that is no position: is refused", async () => {
    const { adminKey, apiUrl } = fixture.emulator.info;
    const headers = { "x-admin-key": adminKey };
    expect((await fetch(`${apiUrl}/admin/activity?after=yesterday`, { headers })).status).to.equal(400);
    expect((await fetch(`${apiUrl}/admin/activity`)).status).to.equal(401);
  });

  it("an emulator that stops: ends the stream, and does not wait for its client", async () => {
    const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
    const reading = read(() => false, { emulator });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const start = performance.now();
    await emulator.stop();
    expect(await reading).to.have.length(1);
    expect(performance.now() - start).to.be.lessThan(2_000);
  });
});
