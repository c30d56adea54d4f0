import { Command, InvalidArgumentError } from "commander";
import { type EmulatorInfo, startEmulator } from "../emulator/index.ts";
import { BaseError } from "../src/errors/BaseError.ts";
import { writeAtomically } from "./writeAtomically.ts";

type Options = {
  port?: number;
  host: string;
  chainPorts?: number[];
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
    .option("--out <file>", "write addresses, accounts and URLs as JSON once everything can serve")
    .option("--json", "print the same JSON instead of text")
    .option("--quiet", "print nothing but errors")
    .action(run);
}

async function run(options: Options): Promise<void> {
  const emulator = await startEmulator({
    chainPorts: options.chainPorts,
    hostname: options.host,
    log: ({ cause, level, message, requestId }) => {
      if (level === "error") console.error(message, requestId ?? "", cause ?? "");
    },
    port: options.port,
  });
  try {
    const json = `${JSON.stringify(emulator.info, null, 2)}\n`;
    if (options.out !== undefined) await writeOut(options.out, json);
    if (options.json === true) process.stdout.write(json);
    else if (options.quiet !== true) process.stdout.write(summary(emulator.info));
    await stopSignal();
  } finally {
    await emulator.stop();
  }
  // Connections that clients keep to the chains' servers would hold the process.
  process.exit(process.exitCode ?? 0);
}

async function writeOut(file: string, json: string): Promise<void> {
  try {
    await writeAtomically(file, json);
  } catch (cause) {
    throw new BaseError(`${file} cannot be written.`, { cause, code: "OUT_NOT_WRITABLE" });
  }
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
async function stopSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
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

function readPort(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) {
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  }
  return Number(value);
}

function readPorts(value: string): number[] {
  return value.split(",").map(readPort);
}
