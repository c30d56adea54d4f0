import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Command } from "commander";
import { zeroAddress } from "viem";
import { createProgram } from "../../../cli/createProgram.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { type RanCommand, runWaybill } from "../../helpers/processes/runWaybill.ts";

const requestId = `0x${"ab".repeat(32)}`;

type Row = {
  /** A valid use. */
  readonly args: readonly string[];
  /** What the command needs of a service: nothing, answers, or answers to the admin key too. */
  readonly needs?: "service" | "admin";
  /** Mistakes in arguments and flags, each with what the line names. */
  readonly mistakes?: readonly (readonly [args: readonly string[], named: string])[];
};

const user = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const folder = join(tmpdir(), `waybill-mishaps-${process.pid}`);
const callsFile = join(folder, "calls.json");
const brokenFile = join(folder, "broken.json");
const quoting = ["--from", "31337:ETH", "--to", "31338:ETH", "--amount", "0.5", "--user", user];

/** One row for each command. */
const rows: Readonly<Record<string, Row>> = {
  attest: {
    args: [requestId, "--solver", user],
    mistakes: [
      [["0x12"], "64 hexadecimal digits"],
      [[], "request id or --file"],
      [[requestId], "--solver"],
      [[requestId, "--solver", "0x12"], "40 hexadecimal digits"],
      [["--file", join(folder, "none.json"), "--solver", user], "none.json"],
      [["--file", brokenFile, "--solver", user], "not JSON"],
      [["--file", callsFile, "--solver", user], "protocol.v2"],
    ],
    needs: "service",
  },
  "calls check": {
    args: [callsFile],
    mistakes: [
      [[join(folder, "none.json")], "none.json"],
      [[brokenFile], "not JSON"],
      [[], "file"],
    ],
  },
  "calls decode": {
    args: ["0x095ea7b3"],
    mistakes: [
      [["0x095"], "whole bytes"],
      [[brokenFile], "not JSON"],
    ],
  },
  "calls simulate": {
    args: [callsFile],
    mistakes: [
      [[brokenFile], "not JSON"],
      [[callsFile, "--router", "x"], "40 hexadecimal digits"],
    ],
    needs: "service",
  },
  chains: { args: ["--port", "0,0"], mistakes: [[["--port", "x"], "port"]] },
  clock: {
    args: [],
    mistakes: [
      [["--set", "noon"], "2026-12-31"],
      [["--freeze", "--resume"], "--resume"],
    ],
    needs: "admin",
  },
  completion: { args: ["bash"], mistakes: [[["tcsh"], "bash, zsh, fish"]] },
  emulator: { args: ["--port", "0", "--chain-ports", "0,0"], mistakes: [[["--chains", "9"], "1 to 8"]] },
  explain: { args: [requestId], mistakes: [[["0x12"], "64 hexadecimal digits"]], needs: "service" },
  "fault add": {
    args: ["fill-fails", "failReason=SLIPPAGE"],
    mistakes: [
      [[], "kind"],
      [["fill-fails", "SLIPPAGE"], "failReason=SLIPPAGE"],
    ],
    needs: "admin",
  },
  "fault clear": { args: [], mistakes: [[["1", "2"], "too many arguments"]], needs: "admin" },
  "fault list": { args: [], needs: "admin" },
  quote: {
    args: quoting,
    mistakes: [
      [quoting.with(1, "ETH"), "31337:ETH"],
      [quoting.with(5, "0"), "above zero"],
      [quoting.with(7, "me"), "40 hexadecimal digits"],
      [quoting.slice(2), "--from"],
    ],
    needs: "service",
  },
  requests: {
    args: [],
    mistakes: [
      [["--status", "lost"], "waiting"],
      [["--since", "yesterday"], "2026-11-01"],
      [["--limit", "0"], "1 to 999999"],
    ],
    needs: "service",
  },
  status: {
    args: [requestId],
    mistakes: [
      [["0x12"], "64 hexadecimal digits"],
      [[], "requestId"],
      [[requestId, "--for", "soon"], "seconds"],
    ],
    needs: "service",
  },
};

/** Names of all commands that do something, as they are typed. */
function leavesOf(command: Command, path: readonly string[] = []): readonly string[] {
  if (command.commands.length === 0) return [path.join(" ")];
  return command.commands.flatMap((each) => leavesOf(each, [...path, each.name()]));
}

/** One clear line: no stack, and nothing on stdout. */
function expectOneLine({ code, err, out }: RanCommand, expected: number, what: string): void {
  expect(err, what).to.match(/^error: [^\n]{10,}\n$/);
  expect({ code, out }, what).to.deep.equal({ code: expected, out: "" });
}

const withArgs = (name: string, args: readonly string[]) => [...name.split(" "), ...args];
const talking = Object.entries(rows).filter(([, { needs }]) => needs !== undefined);

/** Acts on all items, few at a time: each starts a process. */
async function all<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await act(item);
  };
  await Promise.all([work(), work(), work()]);
}

describe("mishaps of every command", () => {
  const { emulator } = { emulator: useEmulator() };
  const servers: Server[] = [];
  let silentUrl = "";
  let refusingUrl = "";
  let onRequest: (path: string) => void = () => undefined;

  async function serve(listener: Parameters<typeof createServer>[1]): Promise<string> {
    const server = createServer(listener ?? (() => undefined));
    servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  before(async () => {
    mkdirSync(folder, { recursive: true });
    const txs = [{ data: "0x", to: user, value: "1" }];
    const destination = { destinationChainId: 31_338, destinationCurrency: zeroAddress };
    writeFileSync(
      callsFile,
      JSON.stringify({ amount: "1", ...destination, recipient: user, tradeType: "EXACT_OUTPUT", txs }),
    );
    writeFileSync(brokenFile, "{");
    silentUrl = await serve((request) => onRequest(request.url ?? ""));
    refusingUrl = await serve((_, response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ errorCode: "UNAUTHORIZED", message: "Invalid API key" }));
    });
  });
  after(() => {
    rmSync(folder, { force: true, recursive: true });
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  it("every command has a row", () => {
    expect(Object.keys(rows).toSorted()).to.deep.equal([...leavesOf(createProgram())].toSorted());
  });

  it("every command has a description, examples and --json in its help", () => {
    const check = (command: Command) => {
      for (const each of command.commands) check(each);
      let help = "";
      command.configureOutput({ writeOut: (text) => (help += text) });
      command.outputHelp();
      expect(command.description(), command.name()).to.match(/^[a-z]|^Validation/);
      if (command.commands.length > 0) return;
      expect(help, command.name()).to.include(`\nExamples:\n`).and.include("--json").and.include("--verbose");
      expect(help, command.name()).to.match(/ {2}(source <\()?waybill /);
    };
    check(createProgram());
  });

  it("an unknown flag and every wrong argument: exit code 2", async () => {
    const wrong = Object.entries(rows).flatMap(([name, { args, mistakes = [] }]) => [
      [withArgs(name, [...args, "--nonsense"]), "--nonsense"] as const,
      ...mistakes.map(([mistake, named]) => [withArgs(name, mistake), named] as const),
    ]);
    await all(wrong, async ([args, named]) => {
      const ran = await runWaybill(args);
      expectOneLine(ran, 2, args.join(" "));
      expect(ran.err).to.include(named);
    });
  }).timeout(180_000);

  it("an unreachable service: exit code 3, and JSON with --json", async () => {
    await all(talking, async ([name, { args }]) => {
      const env = { WAYBILL_ADMIN_KEY: "key" };
      const ran = await runWaybill(withArgs(name, [...args, "--url", "http://127.0.0.1:1", "--json"]), {
        env,
      });
      const { error } = JSON.parse(ran.err) as { error: { code: string; exitCode: number; message: string } };
      expect({ code: ran.code, out: ran.out }, name).to.deep.equal({ code: 3, out: "" });
      expect(error).to.deep.include({ code: "NETWORK_ERROR", exitCode: 3 });
      expect(error.message).to.include("http://127.0.0.1:1").and.not.include("\n");
    });
  }).timeout(180_000);

  it("a refused key: exit code 4, and the line has no key", async () => {
    await all(talking, async ([name, { args }]) => {
      const env = { WAYBILL_ADMIN_KEY: "secret-admin-key", WAYBILL_API_KEY: "secret-api-key" };
      const ran = await runWaybill(withArgs(name, [...args, "--url", refusingUrl]), { env });
      expectOneLine(ran, 4, name);
      expect(ran.err).to.include("401").and.not.include("secret");
    });
  }).timeout(180_000);

  it("no admin key: exit code 4, and the line names the variable", async () => {
    const controlling = talking.filter(([, { needs }]) => needs === "admin");
    await all(controlling, async ([name, { args }]) => {
      const ran = await runWaybill(withArgs(name, [...args, "--url", refusingUrl]));
      expectOneLine(ran, 4, name);
      expect(ran.err).to.include("WAYBILL_ADMIN_KEY");
    });
  }).timeout(180_000);

  it("Ctrl-C while the service is silent: exit code 130", async () => {
    // One after the other: the server cannot tell the commands apart.
    for (const [name, { args }] of talking) {
      const env = { WAYBILL_ADMIN_KEY: "key" };
      const ran = await runWaybill(withArgs(name, [...args, "--url", silentUrl]), {
        env,
        onStart: (kill) => {
          onRequest = () => kill("SIGINT");
        },
      });
      expectOneLine(ran, 130, name);
      expect(ran.err).to.equal("error: Interrupted.\n");
    }
  }).timeout(180_000);

  it("a closed pipe: exit code 141 without a word, for results and for servers", async () => {
    const { requestId: id } = (await emulator.emulator.scenarios.run("status/success")) as {
      requestId: string;
    };
    const { adminKey, apiKeys, apiUrl } = emulator.emulator.info;
    const env = { WAYBILL_ADMIN_KEY: adminKey, WAYBILL_API_KEY: apiKeys[0]?.key ?? "", WAYBILL_URL: apiUrl };
    await all(Object.entries(rows), async ([name, { args }]) => {
      const real = args.map((arg) => (arg === requestId ? id : arg));
      const ran = await runWaybill(withArgs(name, real), { closesPipe: true, env });
      expect(ran, name).to.deep.equal({ code: 141, err: "", out: "" });
    });
  }).timeout(180_000);
});
