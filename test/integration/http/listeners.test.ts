import { mkdtemp, rm, stat } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { WebSocket } from "ws";
import {
  type Emulator,
  type EmulatorInfo,
  type StartEmulatorParameters,
  startEmulator,
} from "../../../emulator/index.ts";
import { openStore } from "../../../emulator/store/openStore.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { refusalOf } from "../../helpers/network/streamListener.ts";

type Answer = {
  readonly status: number | undefined;
  readonly allowed: string | undefined;
  readonly body: string;
};

const page = "http://shop.example";

const evil = "http://evil.example";

describe("hosts and origins that an emulator answers", () => {
  const platform = { Request: globalThis.Request, Response: globalThis.Response };
  const lines: string[] = [];
  const fixture = useEmulator({ cors: [page], log: ({ message }) => lines.push(message) });
  beforeEach(() => {
    lines.length = 0;
  });

  it("a running emulator leaves the platform's own Request and Response unchanged", () => {
    expect({ Request: globalThis.Request, Response: globalThis.Response }).to.deep.equal(platform);
  });

  function ask(url: string, headers: Record<string, string | readonly string[]>, body = ""): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const flat = Object.entries(headers).flatMap(([name, values]) =>
        [values].flat().flatMap((value) => [name, String(value)]),
      );
      const lengths = ["content-length", String(Buffer.byteLength(body))];
      const method = body === "" ? "GET" : "POST";
      const asking = request(url, { headers: [...flat, ...lengths], method, setHost: false }, (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.once("end", () => {
          const { "access-control-allow-origin": allowed } = response.headers;
          resolve({ allowed, body: text, status: response.statusCode });
        });
      });
      asking.once("error", reject);
      asking.end(body);
    });
  }
  const rpc = (method: string, params: readonly unknown[] = []) =>
    JSON.stringify({ id: 1, jsonrpc: "2.0", method, params });
  const listeners = () => {
    const { apiUrl, chains } = fixture.emulator.info;
    return [
      { body: "", name: "API", url: `${apiUrl}/chains` },
      { body: rpc("eth_chainId"), name: "JSON-RPC", url: chains[0]?.rpcUrl ?? "" },
    ];
  };

  it("a refused host or origin of a call or an upgrade: is one line of the log with code and reason, and no query", async () => {
    // The first test that is refused: the log drops repetitions for ten seconds.
    const { apiUrl, chains, wsUrl } = fixture.emulator.info;
    const [{ rpcUrl, wsRpcUrl } = { rpcUrl: "", wsRpcUrl: "" }] = chains;
    const host = "evil.example";
    await ask(`${apiUrl}/chains?apiKey=secret`, { host });
    await ask(rpcUrl, { host }, rpc("eth_chainId"));
    await ask(rpcUrl, { host: "localhost", origin: evil }, rpc("eth_chainId"));
    await refusalOf(`${wsUrl}?apiKey=secret`, { headers: { host } });
    await refusalOf(`${wsUrl}?apiKey=secret`, { origin: evil });
    await refusalOf(`${wsUrl}?apiKey=secret`);
    await refusalOf(`${wsUrl}here?apiKey=secret`);
    await refusalOf(wsRpcUrl, { headers: { host } });
    expect(lines).to.deep.equal([
      "GET /chains 403 HOST_NOT_ALLOWED: This host is not served here",
      "alpha: POST / 403 HOST_NOT_ALLOWED: This host is not served here",
      "alpha: POST / 403 ORIGIN_NOT_ALLOWED: Pages of this origin are not served here",
      "GET /ws 403 HOST_NOT_ALLOWED: This host is not served here",
      "GET /ws 403 ORIGIN_NOT_ALLOWED: Pages of this origin are not served here",
      "GET /ws 401 UNAUTHORIZED: Unknown API key",
      "GET /wshere 404 NOT_FOUND: There is nothing here",
      "alpha: GET / 403 HOST_NOT_ALLOWED: This host is not served here",
    ]);
  });

  it("a Host that a foreign name server could resolve gets a 403; addresses and local names are answered", async () => {
    for (const { body, name, url } of listeners()) {
      const { port } = new URL(url);
      for (const host of [
        "evil.example",
        `evil.example:${port}`,
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "",
      ]) {
        const { body: answer, status } = await ask(url, { host }, body);
        expect([status, JSON.parse(answer).errorCode], `${name} ${host}`).to.deep.equal([
          403,
          "HOST_NOT_ALLOWED",
        ]);
      }
      for (const host of ["localhost", `LOCALHOST:${port}`, "127.0.0.1", "[::1]:1", "api.localhost:80"]) {
        expect((await ask(url, { host }, body)).status, `${name} ${host}`).to.equal(200);
      }
    }
  });

  it("two Host headers get a 400", async () => {
    for (const { body, name, url } of listeners()) {
      const { status } = await ask(url, { host: ["localhost", "evil.example"] }, body);
      expect(status, name).to.equal(400);
    }
  });

  it("a page of a foreign origin cannot use a chain, by HTTP or websocket, and a page of an allowed one can", async () => {
    const [chain] = fixture.emulator.info.chains;
    const { rpcUrl, wsRpcUrl } = chain as EmulatorInfo["chains"][number];
    const account = fixture.alpha.wallet(0).account.address;
    const host = "localhost";
    const before = await fixture.alpha.reader.getBalance({ address: account });
    const refused = await ask(
      rpcUrl,
      { "content-type": "text/plain", host, origin: evil },
      rpc("hardhat_setBalance", [account, "0x1"]),
    );
    expect([refused.status, refused.allowed]).to.deep.equal([403, undefined]);
    expect(await fixture.alpha.reader.getBalance({ address: account })).to.equal(before);
    const taken = await ask(rpcUrl, { host, origin: page }, rpc("eth_chainId"));
    expect([taken.status, taken.allowed]).to.deep.equal([200, page]);
    expect((await ask(rpcUrl, { host }, rpc("eth_chainId"))).allowed).to.equal(undefined);
    expect((await refusalOf(wsRpcUrl, { origin: evil })).status).to.equal(403);
    const socket = new WebSocket(wsRpcUrl, { origin: page });
    await new Promise((resolve) => socket.once("open", resolve));
    socket.terminate();
  });
});

describe("files with keys", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "waybill-modes-"));
  });
  after(() => rm(folder, { force: true, recursive: true }));

  const modeOf = async (name: string) => ((await stat(join(folder, name))).mode & 0o777).toString(8);

  it("only its owner can read a new SQLite file and its log", async () => {
    const { close, store } = await openStore(join(folder, "emulator.db"));
    await store.insertInto("cursors").values({ chain_id: 1, next_block: 1 }).execute();
    expect([await modeOf("emulator.db"), await modeOf("emulator.db-wal")]).to.deep.equal(["600", "600"]);
    await close();
  });
});

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
