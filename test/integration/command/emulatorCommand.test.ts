import { once } from "node:events";
import { createServer as createHttpServer, type Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { expect } from "chai";
import { type Address, createPublicClient, http, isAddress, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { WebSocket } from "ws";
import type { Activity, EmulatorInfo } from "../../../emulator/index.ts";
import { createClient, getQuote } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { testChain } from "../../helpers/emulatorFixture.ts";
import { connectStream } from "../../helpers/network/streamListener.ts";
import { type SpawnedEmulator, useSpawnedEmulators } from "../../helpers/processes/spawnEmulator.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { outputOf } from "../../helpers/requests/reorgStage.ts";

describe("the emulator command", () => {
  const { spawn, start } = useSpawnedEmulators();

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
    const started = performance.now();
    const { info } = await start();
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
    const { emulator, info } = await start(["--log-format", "text"]);
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

    // The printed text has the key of a local client, and no secret of the operator.
    await waitForText(emulator, "Ready.");
    const { stdout } = emulator.output();
    const reference = `${info.apiUrl}/docs`;
    expect(await (await fetch(reference)).text()).to.match(/^<!doctype html>/);
    for (const url of [info.apiUrl, info.wsUrl, info.consoleUrl, reference]) expect(stdout).to.include(url);
    expect(stdout).to.include(apiKey?.key).and.not.include(info.adminKey);
  });

  it("runs as many chains as --chains names, and fills between any two", async () => {
    const { info } = await start(["--chains", "3", "--chain-ports", "0,0,0"]);
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

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`stops on ${signal} with exit code 0 and frees its ports`, async () => {
      const { emulator, info } = await start();
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

  it("a taken API port: exits with one line that names it", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const emulator = spawn(["--port", String(port)]);
    expect(await emulator.exited).to.equal(1);
    expect(emulator.output().stderr).to.match(new RegExp(`^[^\\n]*\\b${port}\\b[^\\n]*\\n$`));
    server.close();
  });
});

describe("the log of the emulator command", () => {
  const { start } = useSpawnedEmulators();
  let receiver: Server;
  before(async () => {
    receiver = createHttpServer((_, response) => response.end()).listen(0, "127.0.0.1");
    await once(receiver, "listening");
  });
  after(() => receiver.close());

  async function stop({ child, exited, output }: SpawnedEmulator): Promise<string> {
    child.kill("SIGINT");
    expect(await exited).to.equal(0);
    expect(output().stderr).to.equal("");
    return output().stdout;
  }

  it("in a pipe: prints a JSON line for its start, and one for each quote, deposit, fill, refund, webhook and fault", async () => {
    const { emulator, info } = await start(["--log-level", "debug"]);
    const admin = async (path: string, method: string, body: object) => {
      const headers = { "content-type": "application/json", "x-admin-key": info.adminKey };
      const answer = await fetch(`${info.apiUrl}/admin${path}`, {
        body: JSON.stringify(body),
        headers,
        method,
      });
      expect(answer.ok, await answer.clone().text()).to.equal(true);
      return answer.json() as Promise<{ requestId: string }>;
    };
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await admin(`/keys/${info.apiKeys[0]?.id}/webhook`, "PUT", { url });
    const filled = await admin("/scenarios/success/bridge/run", "POST", {});
    const refunded = await admin("/scenarios/refund/slippage/run", "POST", {});
    const faulty = await admin("/scenarios/refund/blocked-wallet/run", "POST", {});

    const printed = await stop(emulator);
    const [ready, ...lines] = printed
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Activity & { kind: string });
    expect(ready).to.include({ apiUrl: info.apiUrl, kind: "ready", solver: info.solver });
    const of = (id: string, kind: string) =>
      lines.filter((line) => line.kind === kind && line.requestId === id);
    expect(of(filled.requestId, "quote")[0]).to.deep.include({ status: "waiting", trigger: "quoted" });
    expect(of(filled.requestId, "deposit")[0]).to.deep.include({
      level: "info",
      trigger: "deposit-accepted",
    });
    const fill = of(filled.requestId, "fill").at(-1);
    expect(fill).to.deep.include({ status: "success", trigger: "fill-succeeded" });
    expect(fill).to.have.nested.property("received.chain", "beta");
    expect(fill)
      .to.have.property("txHash")
      .that.matches(/^0x[0-9a-f]{64}$/);
    expect(of(refunded.requestId, "failure")[0]).to.deep.include({ reason: "SLIPPAGE" });
    expect(of(refunded.requestId, "refund").at(-1)).to.deep.include({ trigger: "refund-succeeded" });
    expect(of(faulty.requestId, "fault")[0]).to.deep.include({ action: "fill-fails" });
    expect(of(filled.requestId, "webhook").at(-1)).to.deep.include({ attempt: 1, statusCode: 200 });
    for (const secret of [info.adminKey, info.apiKeys[0]?.key ?? "-"]) expect(printed).to.not.include(secret);
  });

  it("with --log-format text: prints accounts and addresses, then one line of text each, after the scenarios ran", async () => {
    const { emulator, info } = await start(["--log-format", "text", "--scenario", "success/bridge"]);
    const printed = await stop(emulator);
    const [banner = "", log = ""] = printed.split("Ready. Stop with Ctrl-C.\n");
    const [chain] = info.chains;
    for (const { address, privateKey } of chain?.accounts ?? []) {
      expect(banner).to.include(`${address}  ${privateKey}`);
    }
    for (const text of [chain?.rpcUrl, chain?.contracts.depository, chain?.wrappedNative, info.apiUrl]) {
      expect(banner).to.include(text);
    }
    const lines = log
      .trim()
      .split("\n")
      .map((line) => line.slice(13));
    expect(lines[0]).to.match(
      /^quote {3}0x[0-9a-f]{4}…[0-9a-f]{4} [\d.]+ ETH on alpha → [\d.]+ ETH on beta$/,
    );
    expect(lines[1]).to.match(/^deposit 0x.{9} [\d.]+ ETH on alpha {2}tx 0x[0-9a-f]{4}….{4} {2}\+\d+ ms$/);
    expect(lines[2]).to.match(/^fill {4}0x.{9} [\d.]+ ETH on beta {2}tx 0x[0-9a-f]{4}….{4} {2}\+\d+ ms$/);
    expect(printed).to.not.include("\u001b");
  });
});
