import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { expect } from "chai";
import { zeroAddress } from "viem";
import { createProgram } from "../../../cli/createProgram.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { runInside } from "../../helpers/processes/runInside.ts";
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
const parametersFile = join(folder, "parameters.json");
const termsFile = join(folder, "terms.json");
const brokenFile = join(folder, "broken.json");
/** A node or service that is not reached. */
const closedNode = "http://127.0.0.1:1";
const adminKey = { WAYBILL_ADMIN_KEY: "key" };
const onChain = ["--chain", "31337", "--rpc-url", closedNode];
const emulatorFile = join(folder, "emulator.json");
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
      [["approve"], "neither calldata"],
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
  chains: { args: ["--chain-ports", "0,0"], mistakes: [[["--chain-ports", "x"], "port"]] },
  clock: {
    args: [],
    mistakes: [
      [["--set", "noon"], "2026-12-31"],
      [["--freeze", "--resume"], "--resume"],
    ],
    needs: "admin",
  },
  console: { args: [], mistakes: [[["--url", "nowhere"], "--url"]] },
  "deploy proxy": {
    args: onChain,
    mistakes: [
      [[], "--chain"],
      [["--chain", "base"], "whole number above zero"],
      [["--chain", "1"], "--rpc-url"],
      [[...onChain, "--from-block", "x"], "whole number"],
    ],
  },
  "deploy receiver": {
    args: [...onChain, "--parameters", parametersFile],
    mistakes: [
      [onChain, "--parameters"],
      [["OwnReceiver", ...onChain, "--parameters", parametersFile], "PinnedReceiver"],
      [[...onChain, "--parameters", brokenFile], "not JSON"],
      [[...onChain, "--parameters", callsFile], "cannot be deployed"],
    ],
  },
  doctor: { args: [], mistakes: [[["--timeout", "soon"], "seconds"]] },
  emulator: { args: ["--port", "0", "--chain-ports", "0,0"], mistakes: [[["--chains", "9"], "1 to 8"]] },
  execute: {
    args: [...quoting, "--emulator", emulatorFile, "--dry-run"],
    mistakes: [
      [quoting.with(1, "ETH"), "31337:ETH"],
      [quoting.slice(2), "--from is missing"],
      [[...quoting, "--min-output", "0", "--yes"], "above zero"],
      [[...quoting, "--rpc-url", "x", "--yes"], "31337=http"],
      [quoting, "--min-output"],
      [[...quoting, "--min-output", "1"], "--yes"],
    ],
  },
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
  init: {
    args: [join(folder, "project")],
    mistakes: [
      [[folder], "is not empty"],
      [[callsFile], "no folder"],
      [["one", "two"], "too many arguments"],
    ],
  },
  prove: {
    args: ["--file", callsFile, "--request", termsFile, "--emulator", emulatorFile],
    mistakes: [
      [[], "--request"],
      [["--request", join(folder, "none.json")], "none.json"],
      [["--request", brokenFile], "not JSON"],
      [["--file", brokenFile, "--request", termsFile], "not JSON"],
      [["--request", "-"], "stdin"],
      [["--request", callsFile, "--file", callsFile, "--rpc-url", "x"], "31337=http"],
      [
        ["--request", termsFile, "--file", callsFile, "--rpc-url", `5=${closedNode}`],
        "no chain of the request",
      ],
    ],
  },
  quote: {
    args: quoting,
    mistakes: [
      [quoting.with(1, "ETH"), "31337:ETH"],
      [quoting.with(5, "0"), "above zero"],
      [quoting.with(7, "me"), "40 hexadecimal digits"],
      [quoting.slice(0, -2), "--user is missing"],
      [quoting.slice(2), "--from"],
    ],
    needs: "service",
  },
  requests: {
    args: [],
    mistakes: [
      [["--status", "lost"], "pending"],
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
  "verify-deployment": {
    args: [user, ...onChain],
    mistakes: [
      [onChain, "address"],
      [["0x12", ...onChain], "40 hexadecimal digits"],
      [[user, ...onChain, "--parameters", brokenFile], "not JSON"],
    ],
  },
  "webhook listen": {
    args: ["--port", "0", "--replace"],
    mistakes: [
      [["--forward-to", "127.0.0.1"], "http://"],
      [["--forward-to", "http://user:secret@127.0.0.1"], "no user or password"],
      [["--port", "x"], "port"],
    ],
    needs: "admin",
  },
  "webhook resend": {
    args: [requestId],
    mistakes: [
      [["0x12"], "64 hexadecimal digits"],
      [[], "id"],
    ],
    needs: "admin",
  },
  "webhook trigger": {
    args: ["status/success"],
    mistakes: [
      [["success"], "refund/slippage"],
      [[], "scenario"],
    ],
    needs: "admin",
  },
};

/** Names of all commands that do something, as they are typed. */
function leavesOf(command: CommandUnknownOpts, path: readonly string[] = []): readonly string[] {
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

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener);
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
    const pinned = { binding: 0, nativePayee: user, refundPayee: user, solver: user };
    writeFileSync(parametersFile, JSON.stringify({ PinnedReceiver: pinned }));
    writeFileSync(termsFile, JSON.stringify({ policy: {}, request: destination }));
    writeFileSync(brokenFile, "{");
    writeFileSync(emulatorFile, JSON.stringify(emulator.emulator.info));
    silentUrl = await serve(() => undefined);
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
    const check = (command: CommandUnknownOpts) => {
      for (const each of command.commands) check(each);
      let help = "";
      command.configureOutput({ writeOut: (text) => (help += text) });
      command.outputHelp();
      expect(command.description(), command.name()).to.match(/^[a-z]|^Validation/);
      if (command.commands.length > 0) return;
      expect(help, command.name()).to.include(`\nExamples:\n`).and.include("--json").and.include("--verbose");
      expect(help, command.name()).to.match(/ {2}waybill /);
    };
    check(createProgram());
  });

  it("an unknown flag and every wrong argument: exit code 2", async () => {
    const wrong = Object.entries(rows).flatMap(([name, { args, mistakes = [] }]) => [
      [withArgs(name, [...args, "--nonsense"]), "--nonsense"] as const,
      ...mistakes.map(([mistake, named]) => [withArgs(name, mistake), named] as const),
    ]);
    for (const [args, named] of wrong) {
      const ran = await runInside(args);
      expectOneLine(ran, 2, args.join(" "));
      expect(ran.err).to.include(named);
    }
  }).timeout(60_000);

  it("an unreachable service: exit code 3, and JSON with --json", async () => {
    for (const [name, { args }] of talking) {
      const ran = await runInside(withArgs(name, [...args, "--url", closedNode, "--json"]), adminKey);
      const { error } = JSON.parse(ran.err) as { error: { code: string; exitCode: number; message: string } };
      expect({ code: ran.code, out: ran.out }, name).to.deep.equal({ code: 3, out: "" });
      expect(error).to.deep.include({ code: "NETWORK_ERROR", exitCode: 3 });
      expect(error.message).to.include(closedNode).and.not.include("\n");
    }
  }).timeout(60_000);

  it("an unreachable node: exit code 3, and the line names no more than its chain's read", async () => {
    const onNodes = Object.entries(rows).filter(([, { args }]) => args.includes(closedNode));
    for (const [name, { args }] of onNodes) {
      const ran = await runInside(withArgs(name, args));
      expectOneLine(ran, 3, name);
      expect(ran.err, name).to.include("did not answer while");
    }
  }).timeout(60_000);

  it("a refused key: exit code 4, and the line has no key", async () => {
    const env = { WAYBILL_ADMIN_KEY: "secret-admin-key", WAYBILL_API_KEY: "secret-api-key" };
    for (const [name, { args }] of talking) {
      const ran = await runInside(withArgs(name, [...args, "--url", refusingUrl]), env);
      expectOneLine(ran, 4, name);
      expect(ran.err).to.include("401").and.not.include("secret");
    }
  }).timeout(60_000);

  it("no admin key: exit code 4, and the line names the variable", async () => {
    const controlling = talking.filter(([, { needs }]) => needs === "admin");
    for (const [name, { args }] of controlling) {
      const ran = await runInside(withArgs(name, [...args, "--url", refusingUrl]));
      expectOneLine(ran, 4, name);
      expect(ran.err).to.include("WAYBILL_ADMIN_KEY");
    }
  }).timeout(60_000);

  it("a failure of each exit code in a process of its own: the same code and output", async () => {
    const failing = [
      { args: ["emulator", "--nonsense"], code: 2 },
      { args: ["attest", "0x12", "--json"], code: 2 },
      { args: ["requests", "--url", closedNode], code: 3 },
      { args: ["deploy", "proxy", ...onChain], code: 3 },
      { args: ["clock", "--url", refusingUrl], code: 4, env: adminKey },
      { args: ["fault", "list", "--url", refusingUrl], code: 4 },
    ];
    const ran: { args: string[]; env: Record<string, string> | undefined; own: RanCommand }[] = [];
    await all(failing, async ({ args, code, env }) => {
      const own = await runWaybill(args, { env });
      expect(own.code, args.join(" ")).to.equal(code);
      expect(own.err).to.match(/^(error: |\{)/);
      ran.push({ args, env, own });
    });
    for (const { args, env, own } of ran) expect(await runInside(args, env)).to.deep.equal(own);
  }).timeout(60_000);

  it("Ctrl-C while the service is silent: exit code 130", async () => {
    await all(talking, async ([name, { args }]) => {
      let interrupt = () => {};
      const url = await serve(() => interrupt());
      const ran = await runWaybill(withArgs(name, [...args, "--url", url]), {
        env: adminKey,
        onStart: (kill) => {
          interrupt = () => kill("SIGINT");
        },
      });
      expectOneLine(ran, 130, name);
      expect(ran.err).to.equal("error: Interrupted.\n");
    });
  }).timeout(180_000);

  it("a closed pipe: exit code 141 without a word, for results and for servers", async () => {
    // Without a webhook, no delivery could be repeated.
    await emulator.emulator.webhooks.set(emulator.emulator.info.apiKeys[0]?.id ?? "", { url: silentUrl });
    const { requestId: id } = Object(await emulator.emulator.scenarios.run("status/success"));
    const { adminKey, apiKeys, apiUrl } = emulator.emulator.info;
    const { rpcUrl } = emulator.alpha.info;
    const env = { WAYBILL_ADMIN_KEY: adminKey, WAYBILL_API_KEY: apiKeys[0]?.key ?? "", WAYBILL_URL: apiUrl };
    // Deployments of one account follow one another: two at once would take the same nonce.
    const turns = Map.groupBy(Object.entries(rows), ([name]) => name.replace(/^deploy .*/, "deploy"));
    await all([...turns.values()], async (turn) => {
      for (const [name, { args }] of turn) {
        const real = args.map((arg) => ({ [closedNode]: rpcUrl, [requestId]: id })[arg] ?? arg);
        const ran = await runWaybill(withArgs(name, real), { closesPipe: true, env });
        expect(ran, name).to.deep.equal({ code: 141, err: "", out: "" });
      }
    });
  }).timeout(180_000);
});
