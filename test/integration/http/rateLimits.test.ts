import { expect } from "chai";
import { type Emulator, type StartEmulatorParameters, startEmulator } from "../../../emulator/index.ts";

const september = Date.UTC(2026, 8, 15);

describe("rate limits and CORS headers", () => {
  let now = september;
  let emulator: Emulator | undefined;
  beforeEach(() => {
    now = september;
  });
  afterEach(() => emulator?.stop());

  async function start(more: Pick<StartEmulatorParameters, "cors" | "rateLimits"> = { rateLimits: true }) {
    emulator = await startEmulator({ chainPorts: [0, 0], now: () => now, port: 0, ...more });
    const { fetch, info } = emulator;
    const key = info.apiKeys[0]?.key ?? "";
    const send = (path: string, headers: Record<string, string> = {}) =>
      fetch(new Request(`http://127.0.0.1${path}`, { headers }));
    const statuses = async (path: string, times: number, headers: Record<string, string> = {}) => {
      const all: number[] = [];
      for (let i = 0; i < times; i++) all.push((await send(path, headers)).status);
      return {
        ok: all.filter((status) => status === 200).length,
        refused: all.filter((status) => status === 429).length,
      };
    };
    return { key, send, statuses };
  }

  it("an emulator without rateLimits has no limit", async () => {
    const { statuses } = await start({});
    expect(await statuses("/chains", 300)).to.deep.equal({ ok: 300, refused: 0 });
  });

  // @spec auth/tied
  it("rejects requests above the limit of each key and of none, without a Retry-After header", async () => {
    const { key, send, statuses } = await start();
    expect(await statuses("/chains", 205)).to.deep.equal({ ok: 200, refused: 5 });
    const refused = await send("/chains");
    expect(await refused.json()).to.deep.equal({ message: "Too many requests" });
    expect(refused.headers.get("retry-after")).to.equal(null);
    expect(await statuses("/chains", 201, { "x-api-key": key })).to.deep.equal({ ok: 200, refused: 1 });
    const other = await emulator?.control.keys.create({ name: "other" });
    expect((await send("/chains", { "x-api-key": other?.key ?? "" })).status).to.equal(200);
    now += 60_000;
    expect((await send("/chains")).status).to.equal(200);
  });

  // @spec error/requests-v2-429 version/v2-throttled
  it("counts version 3 of the requests separately from version 2, which has half as many in September", async () => {
    const { key, send, statuses } = await start();
    const headers = { "x-api-key": key };
    expect(await statuses("/requests/v2", 110, headers)).to.deep.equal({ ok: 100, refused: 10 });
    expect(await statuses("/requests/v3", 110, headers)).to.deep.equal({ ok: 110, refused: 0 });
    const refused = await send("/requests/v2", headers);
    expect(await refused.json()).to.have.keys("message", "migrationGuide", "successor");
    for (const name of ["deprecation", "link", "sunset"]) expect(refused.headers.get(name)).to.be.a("string");
  });

  it("pages can read the headers about an endpoint's end", async () => {
    const { send } = await start({});
    const { headers } = await send("/requests/v2", { origin: "http://localhost:3000" });
    expect(headers.get("access-control-expose-headers")?.toLowerCase().split(", ")).to.include.members(
      ["deprecation", "link", "sunset"].filter((name) => headers.has(name)),
    );
    expect(headers.has("sunset")).to.equal(true);
  });

  it("any page, pages of some origins, or no page can read answers", async () => {
    const origin = "http://localhost:3000";
    const allowed = async (cors: StartEmulatorParameters["cors"], from = origin) => {
      const { send } = await start({ cors });
      const answer = await send("/chains", { origin: from });
      await emulator?.stop();
      return answer.headers.get("access-control-allow-origin");
    };
    expect(await allowed(undefined)).to.equal("*");
    expect(await allowed([origin])).to.equal(origin);
    expect(await allowed([origin], "http://elsewhere")).to.equal(null);
    expect(await allowed(false)).to.equal(null);
  });
});
