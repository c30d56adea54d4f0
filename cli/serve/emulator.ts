import { Command, type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import type { EmulatorInfo, ReplayRunParameters, StartEmulatorParameters } from "../../emulator/index.ts";
import { docsRoot } from "../../src/errors/docsRoot.ts";
import { readChain, readDelay, readFork, readPort, readSunset, repeated } from "../flags/readFlags.ts";
import { flatten } from "../terminal/flatten.ts";
import { type FlagsOf, withFlags, withWork } from "../terminal/runCommand.ts";
import type { CommonOptions, Terminal } from "../terminal/Terminal.ts";
import { table } from "../terminal/table.ts";
import { consoleAddress } from "./console.ts";
import { type Log, type LogFormat, logFormats, logLevels, openLog } from "./openLog.ts";
import { serve, servingFlags } from "./serve.ts";

/** Most flags are parameters of `startEmulator` under the same name. */
const emulatorFlags = (command: Command) =>
  withFlags(command, servingFlags)
    .option("--port <port>", "where the API listens; 0 for any free port (default: 4000)", readPort)
    .option("--chain <id=url>", "use this chain instead of local ones; repeatable", readChain)
    .addOption(
      new Option(
        "--fork <chain=url[@block]>",
        "fork a public chain, by id or name, in addition to the local ones; repeatable",
      )
        .argParser(readFork)
        .conflicts("chain"),
    )
    .addOption(
      new Option("--fork-engine <engine>", "program that runs the forks (default: hardhat)").choices([
        "hardhat",
        "anvil",
      ]),
    )
    .option("--db <url>", "where to keep everything: a SQLite file or postgres://… (default: in memory)")
    .option("--reset", "empty the database first")
    .option("--seed <text>", "make ids, keys and chance follow from this: runs can be repeated")
    .addOption(
      new Option("--router-version <version>", "routers that quotes go through (default: v3)").choices([
        "v3",
        "v2.1",
      ]),
    )
    .option(
      "--lenient",
      `accept what the service documents as refused: see ${docsRoot}reference/conformance.md`,
    )
    .option("--no-default-key", "refuse what needs an API key without one, as the service does")
    .option("--rate-limits", "apply the service's rate limits")
    .option(
      "--requests-v2-sunset <date>",
      "when GET /requests/v2 ends: a date in ISO 8601, or never (default: 2026-11-24)",
      readSunset,
    )
    .option(
      "--success-delay <milliseconds>",
      "least time between a deposit and the success that the stream reports (default: 10)",
      readDelay,
    )
    .option("--perps", "open the perps exchange too, chain 1337, on a ledger in the database")
    .option("--svm", "open an SVM chain too, 792703809, on a log in the database (needs litesvm)")
    .option("--reorgs", "keep each block's state, so that the last ones can be taken back")
    .addOption(
      new Option("--record <file>", "record the run to a file, which is complete once it stops").conflicts([
        "chain",
        "db",
        "fork",
      ]),
    )
    .addOption(
      new Option("--replay <file>", "play a recorded run into a fresh emulator, then serve").conflicts([
        ...[
          ...[
            "allowRemoteWebhooks",
            "chain",
            "chainIds",
            "chains",
            "db",
            "fork",
            "lenient",
            "now",
            "perps",
            "rateLimits",
          ],
        ],
        ...["record", "reorgs", "requestsV2Sunset", "reset", "routerVersion", "seed", "svm"],
      ]),
    )
    .option("--allow-remote-webhooks", "let webhooks be posted to other machines")
    .option(
      "--scenario <name>",
      "run a scenario before serving, such as refund/slippage; repeatable",
      repeated((name: string) => name),
    )
    .addOption(
      new Option(
        "--log-format <format>",
        "lines for people or JSON lines (default: text on a terminal)",
      ).choices(logFormats),
    )
    .addOption(
      new Option(
        "--log-level <level>",
        "lines from this level on (default: info; error with --json)",
      ).choices(logLevels),
    )
    .option("--json", "print what --out writes instead of text");

type Options = FlagsOf<typeof emulatorFlags>;

/** `waybill emulator`: the whole service on this machine, until a signal stops it. */
export function emulatorCommand(): CommandUnknownOpts {
  const command = new Command("emulator")
    .description("run the whole service offline, on local chains")
    .addHelpText(
      "after",
      `
--router-version, --rate-limits, --requests-v2-sunset, --reorgs and --allow-remote-webhooks can be changed at run time below
/admin, like capacity, advances, faults, clock, prices, balances and snapshots: see
${docsRoot}reference/control.md

Examples:
  waybill emulator --out emulator.json
  waybill emulator --db emulator.db --chain 31337=http://127.0.0.1:8545 --chain 31338=http://127.0.0.1:8546
  waybill emulator --fork ethereum=https://node.example/key@23000000
  waybill emulator --fork base=https://node.example/key --fork-engine anvil
  waybill emulator --chains 3 --chain-ports 9545,9546,9547
  waybill emulator --now 2026-11-23T23:59:00Z --chain-ids 777001,777002
  waybill emulator --record run.json
  waybill emulator --scenario refund/slippage --log-format json | jq -c 'select(.kind == "refund")'
  waybill emulator --replay run.json
  waybill emulator --seed 42 --reorgs --port 0 --chain-ports 0,0 --json`,
    );
  return withWork(withFlags(command, emulatorFlags), run, { isServer: true });
}

async function run(terminal: Terminal, options: CommonOptions & Options): Promise<void> {
  const { json: isJson, logFormat, out, quiet, replay, scenario = [] } = options;
  const format = logFormat ?? (process.stdout.isTTY ? "text" : "json");
  const log = logOf(options, format);
  // Imported lazily, so that `--help` and flag errors do not load the emulator.
  const { replayRun, startEmulator } = await import("../../emulator/index.ts");
  const { isLoopback } = await import("../../emulator/access/hostRule.ts");
  const { chainPorts, cors, port } = options;
  const listening: ReplayRunParameters = {
    chainPorts,
    cors,
    hostname: options.host,
    log: log.entry,
    // Nothing is followed for a log without lines.
    ...(quiet !== true && { onActivity: log.activity }),
    port,
    successDelayMs: options.successDelay,
  };
  const emulator = await (replay === undefined
    ? startEmulator({
        ...startOf(options),
        ...listening,
        defaultKey: options.defaultKey && isLoopback(options.host),
      })
    : replayRun(replay, listening));
  const { info, scenarios, stop } = emulator;
  const json = `${JSON.stringify(info, null, 2)}\n`;
  const announced =
    format === "json" ? `${JSON.stringify({ kind: "ready", ...shownOf(info) })}\n` : bannerOf(info);
  const text = quiet === true ? "" : announced;
  await serve(terminal, {
    json,
    onServing: log.start,
    out,
    prepare: async () => {
      for (const name of scenario) await scenarios.run(name, { signal: terminal.signal });
    },
    stop,
    text: isJson === true ? json : text,
  });
}

/** Parameters by the names of `startEmulator`, which knows no flag of the command's own. */
function startOf({ chain, chains, db, fork, forkEngine, ...options }: Options): StartEmulatorParameters {
  return {
    ...options,
    chainCount: chains,
    chains: chain,
    database: db,
    forks: fork?.map((each) => ({ ...each, engine: forkEngine })),
  };
}

function logOf(options: CommonOptions & Options, format: LogFormat): Log {
  const quiet = options.quiet === true ? "error" : undefined;
  const usual = options.json === true ? "error" : "info";
  const isVerbose = options.verbose === true;
  return openLog({ format, isVerbose, level: quiet ?? options.logLevel ?? usual });
}

/** What a log may show of a started emulator: no keys of the API, which the file of `--out` has. */
function shownOf({ apiUrl, chains, consoleUrl, perps, solver, svm, wsUrl }: EmulatorInfo) {
  const shown = chains.map(({ contracts, currencies, id, name, rpcUrl }) => {
    return { contracts, currencies, id, name, rpcUrl };
  });
  return { apiUrl, chains: shown, consoleUrl, docsUrl: `${apiUrl}/docs`, perps, solver, svm, wsUrl };
}

/**
 * The announcement for people, with the first API key and the accounts of the public test mnemonic, which are the same on every
 * chain. The admin key is printed on a terminal alone, in the console's address: other output is kept in files.
 */
function bannerOf(info: EmulatorInfo): string {
  const { chains, ...service } = shownOf(info);
  const accounts = (info.chains[0]?.accounts ?? []).map(
    ({ address, privateKey }) => `${address}  ${privateKey}`,
  );
  const named = chains.map(({ currencies, ...chain }) => {
    const shown = currencies.map(({ address, decimals, symbol }) => [
      symbol,
      `${address}  ${decimals} decimals`,
    ]);
    return { ...chain, ...Object.fromEntries(shown) };
  });
  const apiKey = info.apiKeys[0]?.key;
  const isSeen = process.stdout.isTTY;
  const consoleUrl = isSeen ? consoleAddress(service.consoleUrl, info.adminKey) : service.consoleUrl;
  return `${table(flatten({ accounts, apiKey, chains: named, ...service, consoleUrl }))}\nReady. Stop with Ctrl-C.\n`;
}
