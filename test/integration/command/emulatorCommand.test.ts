import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type Address, createPublicClient, http, isAddress, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { WebSocket } from "ws";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { createClient, getQuote } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { testChain } from "../../helpers/emulatorFixture.ts";
import { connectStream } from "../../helpers/network/streamListener.ts";
import { runInside } from "../../helpers/processes/runInside.ts";
import { readOut, type SpawnedEmulator, spawnEmulator } from "../../helpers/processes/spawnEmulator.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { outputOf } from "../../helpers/requests/reorgStage.ts";

const anyPorts = ["--port", "0", "--chain-ports", "0,0"];

describe("the emulator command", () => {
  let folder: string;
  const running: SpawnedEmulator[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-"));
  });
  afterEach(async () => {
    for (const { child, exited } of running.splice(0)) {
      child.kill("SIGKILL");
      await exited;
    }
    rmSync(folder, { force: true, recursive: true });
  });

  function start(flags: readonly string[]): SpawnedEmulator {
    const emulator = spawnEmulator(flags);
    running.push(emulator);
    return emulator;
  }

  async function waitForText(emulator: SpawnedEmulator, text: string): Promise<void> {
    while (!emulator.output().stdout.includes(text)) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** All addresses of a chain in the document. */
  function addressesOf(chain: EmulatorInfo["chains"][number]): Address[] {
    const found: Address[] = [];
    JSON.stringify([chain.contracts, chain.currencies], (_, value: unknown) => {
      if (typeof value === "string" && isAddress(value) && value !== zeroAddress) found.push(value);
      return value;
    });
    return found;
  }

  it("serves within five seconds, and writes addresses that all have code", async () => {
    const file = join(folder, "emulator.json");
    const started = performance.now();
    const info = await readOut(file, start([...anyPorts, "--out", file]));
    expect(performance.now() - started).to.be.lessThan(5_000);

    expect((await fetch(`${info.apiUrl}/chains`)).status).to.equal(200);
    expect(info.chains.map(({ id }) => id)).to.deep.equal([31337, 31338]);
    for (const chain of info.chains) {
      const reader = createPublicClient({ transport: http(chain.rpcUrl) });
      expect(await reader.getChainId()).to.equal(chain.id);
      const addresses = addressesOf(chain);
      expect(addresses.length).to.be.greaterThan(9);
      for (const address of addresses) {
        expect(await reader.getCode({ address }), `${chain.name} ${address}`).to.match(/^0x..+/);
      }
      for (const { address, privateKey } of chain.accounts) {
        expect(privateKeyToAccount(privateKey).address).to.equal(address);
        expect((await reader.getBalance({ address })) > 0n).to.equal(true);
      }
    }
  });

  it("writes every documented key, and each URL in the document answers", async () => {
    const file = join(folder, "emulator.json");
    const emulator = start([...anyPorts, "--log-format", "text", "--out", file]);
    const info = await readOut(file, emulator);
    expect(info).to.have.all.keys(
      ...["apiUrl", "wsUrl", "consoleUrl", "solver", "adminKey", "apiKeys", "chains"],
    );
    for (const chain of info.chains) {
      expect(chain).to.include.all.keys(
        ...["id", "name", "vmType", "rpcUrl", "contracts", "currencies", "accounts"],
      );
      expect(chain.contracts).to.include.all.keys(
        ...["depository", "relayReceiver", "erc20Router", "approvalProxy", "v3", "multicall3", "multicaller"],
      );
      expect(chain.contracts.v3).to.have.all.keys("erc20Router", "approvalProxy");
      for (const currency of chain.currencies)
        expect(currency).to.have.all.keys("address", "symbol", "decimals");
      for (const account of chain.accounts) expect(account).to.have.all.keys("address", "privateKey");
    }

    const [apiKey] = info.apiKeys;
    expect(apiKey).to.have.all.keys("id", "key", "name");
    const statusOf = async (path: string, headers: Record<string, string>) =>
      (await fetch(`${info.apiUrl}${path}`, { headers })).status;
    expect(await statusOf("/chains", { "x-api-key": apiKey?.key ?? "" })).to.equal(200);
    const request = `/admin/requests/0x${"00".repeat(32)}/events`;
    expect(await statusOf(request, { "x-admin-key": info.adminKey })).to.equal(404);
    expect(await statusOf(request, { "x-admin-key": apiKey?.key ?? "" })).to.equal(401);
    expect(await (await fetch(info.consoleUrl)).text()).to.match(/^<!doctype html>/);
    const stream = await connectStream(info.wsUrl);
    stream.socket.close();
    expect(await stream.closed).to.equal(1005);
    for (const { id, rpcUrl, wsRpcUrl } of info.chains) {
      expect(await createPublicClient({ transport: http(rpcUrl) }).getChainId()).to.equal(id);
      const rpc = new WebSocket(wsRpcUrl);
      await once(rpc, "open");
      rpc.send(JSON.stringify({ id: 1, jsonrpc: "2.0", method: "eth_chainId" }));
      const [answer] = (await once(rpc, "message")) as [Buffer];
      expect(JSON.parse(answer.toString())).to.deep.equal({
        id: 1,
        jsonrpc: "2.0",
        result: `0x${id.toString(16)}`,
      });
      rpc.close();
    }

    // The printed text may be shared, so it has no secrets.
    await waitForText(emulator, "Ready.");
    const { stdout } = emulator.output();
    const reference = `${info.apiUrl}/docs`;
    expect(await (await fetch(reference)).text()).to.match(/^<!doctype html>/);
    for (const url of [info.apiUrl, info.wsUrl, info.consoleUrl, reference]) expect(stdout).to.include(url);
    for (const secret of [info.adminKey, apiKey?.key ?? "-"]) expect(stdout).to.not.include(secret);
  });

  it("runs as many chains as --chains names, and fills between any two", async () => {
    const file = join(folder, "emulator.json");
    const flags = ["--port", "0", "--chains", "3", "--chain-ports", "0,0,0", "--out", file];
    const info = await readOut(file, start(flags));
    expect(info.chains.map(({ id, name }) => [id, name])).to.deep.equal([
      [31337, "alpha"],
      [31338, "beta"],
      [31339, "gamma"],
    ]);
    const [, beta, gamma] = info.chains.map(testChain);
    if (beta === undefined || gamma === undefined) throw new Error("there are too few chains");
    const client = createClient({ baseUrl: info.apiUrl, sleep: quickSleep });
    const recipient = fresh();
    const destinationCurrency = beta.currency("USDC");
    const intent = bridgeIntent({ alpha: gamma, beta }, { destinationCurrency, recipient });
    const quote = await getQuote(client, intent);
    await execute(client, {
      publicClient: gamma.reader,
      quote,
      timeout: 20_000,
      verify: false,
      wallet: gamma.wallet(0),
    });
    expect(await beta.balanceOf(beta.currency("USDC"), recipient)).to.equal(outputOf(quote));
  });

  it("writes the file of --out whole, and leaves no temporary file", async () => {
    const file = join(folder, "emulator.json");
    await readOut(file, start([...anyPorts, "--out", file]));
    expect(readdirSync(folder)).to.deep.equal(["emulator.json"]);
  });

  it("prints the same document with --json", async () => {
    const file = join(folder, "emulator.json");
    const emulator = start([...anyPorts, "--json", "--out", file]);
    const info = await readOut(file, emulator);
    await waitForText(emulator, "\n}\n");
    expect(JSON.parse(emulator.output().stdout)).to.deep.equal(info);
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`stops on ${signal} with exit code 0 and frees its ports`, async () => {
      const file = join(folder, "emulator.json");
      const emulator = start([...anyPorts, "--out", file]);
      const info = await readOut(file, emulator);
      emulator.child.kill(signal);
      expect(await emulator.exited).to.equal(0);
      expect(emulator.output().stderr).to.equal("");
      for (const url of [info.apiUrl, ...info.chains.map(({ rpcUrl }) => rpcUrl)]) {
        expect(
          await fetch(url).then(
            () => "answers",
            () => "is gone",
          ),
        ).to.equal("is gone");
      }
    });
  }

  it("two commands run side by side on different ports", async () => {
    const [one, two] = [join(folder, "one.json"), join(folder, "two.json")];
    // Neither names ports of its chains: the second one takes free ports.
    const first = await readOut(one, start(["--port", "0", "--out", one]));
    const second = await readOut(two, start(["--port", "0", "--out", two]));
    const urls = [first, second].flatMap(({ apiUrl, chains }) => [
      apiUrl,
      ...chains.map(({ rpcUrl }) => rpcUrl),
    ]);
    expect(new Set(urls).size).to.equal(6);
    for (const { apiUrl } of [first, second]) expect((await fetch(`${apiUrl}/chains`)).status).to.equal(200);
  });

  describe("taken ports", () => {
    let port: number;
    const server = createServer();
    before(async () => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("no port");
      port = address.port;
    });
    after(() => new Promise((resolve) => server.close(resolve)));

    it("a taken API port: exits with one line that names it", async () => {
      const emulator = start(["--port", String(port), "--chain-ports", "0,0"]);
      expect(await emulator.exited).to.equal(1);
      expect(emulator.output().stderr).to.match(new RegExp(`^[^\\n]*\\b${port}\\b[^\\n]*\\n$`));
    });

    it("a taken chain port: exits with one line that names it", async () => {
      const emulator = start(["--port", "0", "--chain-ports", `0,${port}`]);
      expect(await emulator.exited).to.equal(1);
      expect(emulator.output().stderr).to.match(new RegExp(`^[^\\n]*\\b${port}\\b[^\\n]*\\n$`));
    });
  });

  it("rejects invalid flags with a sentence and without a stack", async () => {
    for (const flags of [
      ["--port", "http"],
      ["--port", "70000"],
      ["--chain-ports", "1"],
      ["--nonsense"],
      ["nonsense"],
      ["--chains", "9"],
      ["--port", "0", "--chain-ports", "0,0", "--host", "192.0.2.1"],
      ["--port", "0", "--chain-ports", "0,0", "--db", folder],
      ["--port", "0", "--chain-ports", "0,0", "--out", join(folder, "missing", "f.json")],
    ]) {
      const { code, err } = await runInside(["emulator", ...flags]);
      expect(code, flags.join(" ")).to.not.equal(0);
      expect(err, flags.join(" "))
        .to.match(/\w/)
        .and.not.match(/\n\s+at /);
      expect(err.trim().split("\n").length, flags.join(" ")).to.be.lessThan(3);
    }
  });
});
