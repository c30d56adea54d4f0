import { mkdtemp, rm, stat } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { WebSocket } from "ws";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { openStore } from "../../../emulator/store/openStore.ts";
import { startFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import { refusalOf } from "../../helpers/network/streamListener.ts";
import { readOut, spawnEmulator } from "../../helpers/processes/spawnEmulator.ts";

type Answer = {
  readonly status: number | undefined;
  readonly allowed: string | undefined;
  readonly body: string;
};

const page = "http://shop.example";
const evil = "http://evil.example";

describe("hosts and origins that an emulator answers", () => {
  const platform = { Request: globalThis.Request, Response: globalThis.Response };
  const fixture = useEmulator({ cors: [page] });

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

  it("without CORS rules a chain answers every page", async () => {
    const open = await startFixture({ chainCount: 2 });
    const { rpcUrl } = open.alpha.info;
    const { allowed, status } = await ask(rpcUrl, { host: "localhost", origin: evil }, rpc("eth_chainId"));
    expect([status, allowed]).to.deep.equal([200, "*"]);
    await open.stop();
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

  it("only its owner can read the file of --out", async () => {
    const out = join(folder, "emulator.json");
    const emulator = spawnEmulator(["--port", "0", "--chain-ports", "0,0", "--out", out, "--quiet"]);
    await readOut(out, emulator, 40_000);
    expect(await modeOf("emulator.json")).to.equal("600");
    emulator.child.kill("SIGTERM");
    await emulator.exited;
  }).timeout(60_000);
});
