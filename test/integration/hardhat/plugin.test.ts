import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection, NetworkConnectionParams } from "hardhat/types/network";
import { parseEther, zeroAddress } from "viem";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import waybill from "../../../hardhat/index.ts";
import { getQuote } from "../../../src/client/index.ts";
import type { TestEmulator } from "../../../testing/index.ts";
import { testChain } from "../../../testing/TestChain.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { lastTransaction } from "../../helpers/quotes/intents.ts";
import { fresh, reverting } from "../../helpers/requests/failureStage.ts";
import { reached, until } from "../../helpers/requests/requestHistory.ts";

/** A Hardhat project with the plugin, in a folder of its own. */
type HardhatProject = {
  readonly folder: string;
  /** Starts a task of the project in a process. */
  start(...args: readonly string[]): StartedTask;
  /** Runs a file of tests under Node's test runner. */
  test(runner: "node --test" | "hardhat test nodejs", source: string): StartedTask;
  remove(): void;
};

/** A task in a process. */
type StartedTask = {
  readonly child: ChildProcess;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /** What it has printed so far. */
  output(): string;
};

const root = new URL("../../..", import.meta.url).pathname;

const plugin = join(root, "hardhat", "index.ts");

const hardhat = join(root, "node_modules", "hardhat", "dist", "src", "cli.js");

/** Creates a project with these networks besides Hardhat's default. */
function createHardhatProject(networks: object): HardhatProject {
  const folder = mkdtempSync(join(tmpdir(), "waybill-project-"));
  const configuration = `import nodeTests from "@nomicfoundation/hardhat-node-test-runner";
import waybill from ${JSON.stringify(plugin)};
import { defineConfig } from "hardhat/config";
export default defineConfig({ networks: ${JSON.stringify(networks)}, plugins: [nodeTests, waybill], solidity: "0.8.28" });
`;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(folder, "hardhat.config.ts"), configuration);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  // The environment has the options of a running Hardhat.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HARDHAT_"));
  const env = {
    ...Object.fromEntries(inherited),
    HARDHAT_DISABLE_TELEMETRY: "true",
    XDG_CONFIG_HOME: folder,
  };
  const run = (...args: readonly string[]): StartedTask => {
    const child = spawn(process.execPath, args, { cwd: folder, env });
    let output = "";
    const keep = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    return { child, ended, output: () => output };
  };
  return {
    folder,
    remove: () => rmSync(folder, { force: true, recursive: true }),
    start: (...args) => run(hardhat, ...args),
    test: (runner, source) => {
      writeFileSync(join(folder, "node.test.ts"), source);
      return runner === "node --test"
        ? run("--test", "node.test.ts")
        : run(hardhat, "test", "nodejs", "--no-compile", "node.test.ts");
    },
  };
}

describe("the Hardhat plugin", () => {
  const environment = createHardhatRuntimeEnvironment({ plugins: [waybill] });
  const opened: NetworkConnection[] = [];
  const connect = async (parameters?: NetworkConnectionParams) => {
    const connection = await create(parameters);
    opened.push(connection);
    return connection;
  };
  const create = async (parameters?: NetworkConnectionParams) =>
    (await environment).network.create(parameters);
  const ask = ({ provider }: NetworkConnection, method: string, ...params: unknown[]) =>
    provider.request({ method, params });
  after("close the connections", async () => {
    for (const connection of opened) await connection.close();
  });

  const quoted = ({ client, destination, origin }: TestEmulator, recipient = fresh()) =>
    getQuote(client, {
      amount: parseEther("1"),
      destinationChainId: destination.info.id,
      destinationCurrency: zeroAddress,
      originChainId: origin.info.id,
      originCurrency: zeroAddress,
      recipient,
      tradeType: "EXACT_INPUT",
      refundTo: origin.wallet(0).account.address,
      user: origin.wallet(0).account.address,
    });
  const paid = async (emulator: TestEmulator) => {
    const quote = await quoted(emulator);
    await emulator.origin.wallet(0).sendTransaction(lastTransaction(quote));
    return quote;
  };
  const balanceOn = async (connection: NetworkConnection, account: string) =>
    BigInt((await ask(connection, "eth_getBalance", account, "latest")) as string);

  it("a payment from the twin chain: arrives once on the connection's own chain", async () => {
    const connection = await connect();
    const emulator = await connection.waybill.start();
    expect(emulator.chains.map(({ info }) => info.id)).to.deep.equal([31338, 31337]);
    const quote = await paid(emulator);
    await expect(emulator.request(quote)).to.bePaidOnce();
    const arrived = await balanceOn(connection, quote.details.recipient as string);
    expect(arrived > parseEther("0.99")).to.equal(true);
  });

  it("a fill that reverts in its block, on a network that throws for it: is refunded on the twin chain", async () => {
    const connection = await connect();
    const emulator = await connection.waybill.start();
    const recipient = fresh();
    const quote = await quoted(emulator, recipient);
    await ask(connection, "evm_setAutomine", false);
    await emulator.origin.wallet(0).sendTransaction(lastTransaction(quote));
    const request = emulator.request(quote);
    await reached(emulator, request.id, "submitted");
    // The status is stored before the fill is sent.
    const pending = async () => ((await ask(connection, "eth_pendingTransactions")) as unknown[])[0];
    await until(pending, "the sent fill");
    await ask(connection, "hardhat_setCode", recipient, reverting);
    await ask(connection, "evm_mine");
    await expect(request).to.refundWith("TRANSACTION_REVERTED");
    expect(await balanceOn(connection, recipient)).to.equal(0n);
  });

  it("a twin as destination: the connection's own chain is the origin, and a second chain to choose is refused", async () => {
    const connection = await connect();
    const both = await failureOf(connection.waybill.start({ destination: "twin", origin: "default" }));
    expect(both).to.have.property("message").that.includes("`origin` or `destination`, not both");
    const emulator = await connection.waybill.start({ destination: "twin" });
    expect(emulator.chains.map(({ info }) => info.id)).to.deep.equal([31337, 31338]);
    const before = await balanceOn(connection, emulator.origin.wallet(0).account.address);
    await expect(emulator.request(await paid(emulator))).to.bePaidOnce();
    const after = await balanceOn(connection, emulator.origin.wallet(0).account.address);
    expect(before - after >= parseEther("1")).to.equal(true);
  });

  it("a closed connection: stops its emulator", async () => {
    const connection = await create();
    const { info } = await connection.waybill.start();
    await connection.close();
    expect(await failureOf(fetch(info.apiUrl))).to.be.an("error");
  });

  it("a start that fails: is reported, closes what it opened, and the next one works", async () => {
    const connection = await connect();
    const failed = await failureOf(connection.waybill.start({ routerVersion: "v9" as "v3" }));
    expect(failed).to.have.property("name", "InvalidParameterError");
    const { client } = await connection.waybill.start();
    expect(client).to.be.an("object");
  });
});

describe("the Hardhat plugin under Node's test runner", () => {
  const ways = {
    "without a stop": "",
    "with the emulator's stop": "after(() => emulator.stop());",
    "with the connection's close": "after(() => connection.close());",
  };
  const runners = ["node --test", "hardhat test nodejs"] as const;
  for (const [runner, way, stop] of runners.flatMap((runner) =>
    Object.entries(ways).map(([way, stop]) => [runner, way, stop] as const),
  )) {
    it(`${runner}, a file ${way}: ends by itself`, async () => {
      const project = createHardhatProject({});
      const task = project.test(
        runner,
        `import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { network } from "hardhat";

describe("an emulator", () => {
  let connection, emulator;
  before(async () => {
    connection = await network.create();
    emulator = await connection.waybill.start();
  });
  ${stop}
  it("answers", async () => assert.equal((await fetch(emulator.info.apiUrl + "/chains")).status, 200));
});
`,
      );
      const kill = setTimeout(() => task.child.kill("SIGKILL"), 50_000);
      try {
        expect(await task.ended, task.output()).to.equal(0);
        expect(task.output()).to.match(/pass 1\b|1 passing/);
      } finally {
        clearTimeout(kill);
        project.remove();
      }
    }).timeout(60_000);
  }
});

describe("hardhat waybill:emulator", () => {
  let project: HardhatProject;
  before("a project with the plugin", () => {
    project = createHardhatProject({ users: { chainId: 10, type: "edr-simulated" } });
  });
  after(() => project.remove());

  const started: StartedTask[] = [];
  afterEach(() => {
    for (const { child } of started.splice(0)) child.kill("SIGKILL");
  });
  const start = (...flags: readonly string[]) => {
    const task = project.start("waybill:emulator", "--port", "0", ...flags);
    started.push(task);
    return task;
  };
  const ready = async ({ child, output }: StartedTask) => {
    while (!output().includes("Ready.")) {
      if (child.exitCode !== null) throw new Error(output());
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it("serves the project's chain and its twin, writes --out for its owner alone, and ends with 0 at SIGINT", async () => {
    const out = join(project.folder, "emulator.json");
    const task = start("--out", out);
    await ready(task);
    const info = JSON.parse(readFileSync(out, "utf8")) as EmulatorInfo;
    expect(statSync(out).mode & 0o777).to.equal(0o600);
    expect(info.chains.map(({ id }) => id)).to.deep.equal([31338, 31337]);
    expect(task.output()).to.include(info.apiUrl).and.include(info.consoleUrl);
    expect((await fetch(`${info.apiUrl}/chains`)).status).to.equal(200);
    for (const chain of info.chains) expect(await testChain(chain).reader.getChainId()).to.equal(chain.id);
    task.child.kill("SIGINT");
    expect(await task.ended).to.equal(0);
    expect(await failureOf(fetch(info.apiUrl))).to.be.an("error");
  });

  it("takes --origin from the configuration, and refuses a network that it lacks", async () => {
    const out = join(project.folder, "origin.json");
    const task = start("--origin", "users", "--out", out);
    await ready(task);
    const info = JSON.parse(readFileSync(out, "utf8")) as EmulatorInfo;
    expect(info.chains.map(({ id }) => id)).to.deep.equal([10, 31337]);
    task.child.kill("SIGTERM");
    expect(await task.ended).to.equal(0);
    const missing = join(project.folder, "missing.json");
    const refused = start("--origin", "nowhere", "--out", missing);
    expect(await refused.ended).to.equal(1);
    expect(refused.output()).to.include('"nowhere"');
    expect(existsSync(missing)).to.equal(false);
  });
});
