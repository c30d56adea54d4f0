import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import type { Command } from "commander";
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

/** One row for each command. */
const rows: Readonly<Record<string, Row>> = {
  chains: { args: ["--port", "0,0"], mistakes: [[["--port", "x"], "port"]] },
  completion: { args: ["bash"], mistakes: [[["tcsh"], "bash, zsh, fish"]] },
  emulator: { args: ["--port", "0", "--chain-ports", "0,0"], mistakes: [[["--chains", "9"], "1 to 8"]] },
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
const all = <Item>(items: readonly Item[], act: (item: Item) => Promise<void>) => Promise.all(items.map(act));

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
    silentUrl = await serve((request) => onRequest(request.url ?? ""));
    refusingUrl = await serve((_, response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ errorCode: "UNAUTHORIZED", message: "Invalid API key" }));
    });
  });
  after(() => {
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
  }).timeout(60_000);

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
  }).timeout(60_000);

  it("a refused key: exit code 4, and the line has no key", async () => {
    await all(talking, async ([name, { args }]) => {
      const env = { WAYBILL_ADMIN_KEY: "secret-admin-key", WAYBILL_API_KEY: "secret-api-key" };
      const ran = await runWaybill(withArgs(name, [...args, "--url", refusingUrl]), { env });
      expectOneLine(ran, 4, name);
      expect(ran.err).to.include("401").and.not.include("secret");
    });
  }).timeout(60_000);

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
  }).timeout(60_000);

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
  }).timeout(60_000);
});
