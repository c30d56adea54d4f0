import { Command } from "commander";
import { type EmulatorInfo, type ExternalChain, startEmulator } from "../emulator/index.ts";
import { readChain } from "./readChain.ts";
import { readPort, readPorts } from "./readPorts.ts";
import { stopSignal } from "./stopSignal.ts";
import { writeOut } from "./writeOut.ts";

type Options = {
  port?: number;
  host: string;
  chainPorts?: number[];
  chain?: readonly ExternalChain[];
  db?: string;
  reset?: boolean;
  out?: string;
  json?: boolean;
  quiet?: boolean;
};

/** `waybill emulator`: the whole service on this machine, until it is told to stop. */
export function emulatorCommand(): Command {
  return new Command("emulator")
    .description("run the whole service offline, on local chains")
    .option("--port <port>", "where the API listens; 0 for any free port (default: 4000)", readPort)
    .option("--host <hostname>", "address to listen on", "127.0.0.1")
    .option("--chain-ports <ports>", "where the chains listen (default: 8545,8546, or free ones)", readPorts)
    .option("--chain <id=url>", "use this chain instead of local ones; may be repeated", readChain)
    .option("--db <url>", "where to keep everything: a SQLite file or postgres://… (default: in memory)")
    .option("--reset", "empty the database first")
    .option("--out <file>", "write addresses, accounts and URLs as JSON once everything can serve")
    .option("--json", "print the same JSON instead of text")
    .option("--quiet", "print nothing but errors")
    .action(run);
}

async function run(options: Options): Promise<void> {
  const emulator = await startEmulator({
    chainPorts: options.chainPorts,
    chains: options.chain,
    database: options.db,
    hostname: options.host,
    log: ({ cause, level, message, requestId }) => {
      if (level === "error") console.error(message, requestId ?? "", cause ?? "");
    },
    port: options.port,
    reset: options.reset,
  });
  // Listened for before anybody is told that it runs: whoever waits for the file may stop it at once.
  const stopped = stopSignal();
  try {
    const json = `${JSON.stringify(emulator.info, null, 2)}\n`;
    if (options.out !== undefined) await writeOut(options.out, json);
    if (options.json === true) process.stdout.write(json);
    else if (options.quiet !== true) process.stdout.write(summary(emulator.info));
    await stopped;
  } finally {
    await emulator.stop();
  }
  // Connections that clients keep to the chains' servers would hold the process.
  process.exit(process.exitCode ?? 0);
}

function summary({ apiUrl, chains, consoleUrl, solver, wsUrl }: EmulatorInfo): string {
  const lines = [
    `API      ${apiUrl}`,
    `stream   ${wsUrl}`,
    `console  ${consoleUrl}`,
    ...chains.map(({ id, name, rpcUrl }) => `${name.padEnd(8)} ${rpcUrl} (chain ${id})`),
    `solver   ${solver}`,
    `accounts ${chains[0]?.accounts.length ?? 0} funded ones of the public test mnemonic`,
    // Keys are secrets: they are written only where that was asked for.
    "keys     in what --out and --json write",
    "Ready. Stop with Ctrl-C.",
  ];
  return `${lines.join("\n")}\n`;
}
