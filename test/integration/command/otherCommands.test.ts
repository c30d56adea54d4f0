import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type EmulatorInfo, startEmulator } from "../../../emulator/index.ts";
import { runWaybill } from "../../helpers/processes/runWaybill.ts";
import { useSpawnedEmulators } from "../../helpers/processes/spawnEmulator.ts";

const files = [
  ".gitignore",
  "README.md",
  "contracts/Checkout.sol",
  "hardhat.config.ts",
  "package.json",
  "test/Checkout.test.ts",
  "tsconfig.json",
];

describe("waybill init", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-init-"));
  });
  afterEach(() => rmSync(folder, { force: true, recursive: true }));

  it("a new folder: gets every file, and a package with the folder's name and the version of the command", async () => {
    const { code, err, out } = await runWaybill(["init", "My Payments", "--json"], { cwd: folder });
    expect({ code, err }).to.deep.equal({ code: 0, err: "" });
    expect((JSON.parse(out) as { files: string[] }).files.toSorted()).to.deep.equal(files.toSorted());
    const project = join(folder, "My Payments");
    for (const file of files) expect(existsSync(join(project, file)), file).to.equal(true);
    const { devDependencies, name } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
    const version = `^${(await runWaybill(["--version"])).out.trim()}`;
    expect(name).to.equal("my-payments");
    expect(devDependencies).to.include({ "@waybill/hardhat": version, waybill: version });
  });

  it("--runner node: names mocha nowhere, and has Hardhat's runner in the version that is tested here", async () => {
    const { code, err } = await runWaybill(["init", ".", "--runner", "node"], { cwd: folder });
    expect({ code, err }).to.deep.equal({ code: 0, err: "" });
    const texts = files.map((file) => readFileSync(join(folder, file), "utf8"));
    expect(texts.filter((text) => /mocha/i.test(text))).to.deep.equal([]);
    const { devDependencies, scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(scripts.test).to.equal("hardhat test nodejs && tsc");
    const runner = "@nomicfoundation/hardhat-node-test-runner";
    const own = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
    expect(devDependencies[runner]).to.equal(own.devDependencies[runner]);
  });

  it("a folder with a file: is refused, and keeps what it has", async () => {
    writeFileSync(join(folder, "package.json"), "{}");
    const { code, err, out } = await runWaybill(["init"], { cwd: folder });
    expect({ code, out }).to.deep.equal({ code: 2, out: "" });
    expect(err).to.include("is not empty: it has package.json");
    expect(readdirSync(folder)).to.deep.equal(["package.json"]);
  });
});

describe("the flags --record and --replay", () => {
  const { folder, spawn, start } = useSpawnedEmulators();
  const ask = async ({ adminKey, apiUrl }: EmulatorInfo, path: string, method = "GET") => {
    const answer = await fetch(`${apiUrl}${path}`, { headers: { "x-admin-key": adminKey }, method });
    return (await answer.json()) as Record<string, unknown>;
  };

  it("a run stopped by SIGINT: its replay has the same keys and history", async () => {
    const file = join(folder, "run.json");
    const first = await start(["--record", file]);
    const result = await ask(first.info, "/admin/scenarios/refund/missing-revert-data/run", "POST");
    const path = `/admin/requests/${String(result["requestId"])}/events`;
    const history = await ask(first.info, path);
    first.emulator.child.kill("SIGINT");
    expect(await first.emulator.exited).to.equal(0);

    const second = await start(["--replay", file]);
    expect(second.info.apiKeys).to.deep.equal(first.info.apiKeys);
    expect(await ask(second.info, path)).to.deep.equal(history);
    expect(history["failReason"]).to.equal("MISSING_REVERT_DATA");
  }).timeout(30_000);

  it("a replay with a flag that the recording has, or of no recording: is refused in a sentence", async () => {
    for (const [flags, sentence] of [
      [["--replay", "run.json", "--seed", "1"], /cannot be used with option/],
      [["--replay", join(folder, "nothing.json")], /the recording cannot be read/],
    ] as const) {
      const emulator = spawn(flags);
      expect(await emulator.exited).to.equal(2);
      expect(emulator.output().stderr).to.match(sentence);
      expect(emulator.output().stderr).not.to.match(/\n\s+at /);
    }
  }).timeout(30_000);
});

describe("the chains command", () => {
  it("runs the chains alone, for emulators that start and stop, and exits on SIGTERM with code 0", async () => {
    let kill: (signal: NodeJS.Signals) => void = () => undefined;
    const printed = Promise.withResolvers<string>();
    const ended = runWaybill(["chains", "--chain-ports", "0,0"], {
      onOutput: (text) => {
        if (text.endsWith("}\n")) printed.resolve(text);
      },
      onStart: (each) => {
        kill = each;
      },
    });
    try {
      const { chains } = JSON.parse(await printed.promise) as { chains: { id: number; rpcUrl: string }[] };
      expect(chains.map(({ id }) => id)).to.deep.equal([31_337, 31_338]);
      for (let run = 0; run < 2; run++) {
        const emulator = await startEmulator({ chains, port: 0 });
        expect(emulator.info.chains.map(({ rpcUrl }) => rpcUrl)).to.deep.equal(
          chains.map(({ rpcUrl }) => rpcUrl),
        );
        await emulator.stop();
      }
    } finally {
      kill("SIGTERM");
    }
    expect(await ended).to.include({ code: 0, err: "" });
  }).timeout(30_000);
});

describe("text of a hostile service", () => {
  let server: Server;
  let url: string;
  let answer: (path: string) => { body: string; status: number };
  before(async () => {
    server = createServer((request, response) => {
      const { body, status } = answer(request.url ?? "/");
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Everything but the ends of lines. */
  const control = /(?!\n)\p{Cc}|\p{Bidi_Control}/u;
  const id = `0x${"ab".repeat(32)}`;

  it("P10: quote and status: hostile fields forge no line and no colour; JSON stays exact", async () => {
    const evil = "x\nforged  row\u001b[8m\u202e\u200b\u2028";
    const amount = (chainId: number) => ({
      amount: "1000000",
      amountFormatted: evil,
      amountUsd: evil,
      currency: { address: `0x${"11".repeat(20)}`, chainId, decimals: 6, name: evil, symbol: evil },
    });
    const quote = {
      details: { currencyIn: amount(1), currencyOut: amount(2), rate: evil, recipient: evil, sender: evil },
      fees: { [evil]: amount(1) },
      steps: [{ action: evil, description: evil, id: evil, items: [], kind: "transaction" }],
    };
    const status = {
      details: evil,
      failReason: evil,
      inTxHashes: [evil],
      status: "failure",
      txHashes: [evil],
    };
    const currency = { ...amount(1).currency, symbol: "USDC" };
    answer = (path) => {
      const chainId = asked++ % 2 === 0 ? 1 : 2;
      const answers = { "/currencies/v2": [{ ...currency, chainId }], "/quote/v2": quote };
      return {
        body: JSON.stringify(Object.entries(answers).find(([route]) => path === route)?.[1] ?? status),
        status: 200,
      };
    };
    let asked = 0;
    const user = `0x${"22".repeat(20)}`;
    const ask = [
      ...["quote", "--from", "1:USDC", "--to", "2:USDC", "--amount", "1"],
      ...["--user", user, "--url", url],
    ];
    for (const args of [ask, ["status", id, "--url", url]]) {
      asked = 0;
      const { err, out } = await runWaybill(args);
      expect(err).to.equal("");
      expect(out)
        .to.include("forged")
        .and.not.match(control)
        .and.not.match(/^forged/m);
      expect(out).to.not.match(/[\u200b\u2028]/);
      asked = 0;
      const { out: json } = await runWaybill([...args, "--json"]);
      expect(json)
        .to.not.match(control)
        .and.not.match(/[\u200b\u2028]/);
      const kept = JSON.parse(json) as typeof quote & typeof status;
      expect(kept.details.recipient ?? kept.details).to.equal(evil);
    }
  }).timeout(60_000);
});
