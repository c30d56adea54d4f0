import { Command } from "commander";
import type { StartedChains } from "../emulator/index.ts";
import { readCount } from "./readCount.ts";
import { readIds } from "./readIds.ts";
import { readMoment } from "./readMoment.ts";
import { readOrigins } from "./readOrigins.ts";
import { readPorts } from "./readPorts.ts";
import { stopSignal } from "./stopSignal.ts";
import { writeOut } from "./writeOut.ts";

type Options = {
  chains?: number;
  chainIds?: number[];
  cors?: boolean | readonly string[];
  port?: number[];
  host: string;
  now?: number;
  out?: string;
  quiet?: boolean;
};

/** `waybill chains`: the chains alone, so that the service can be stopped and started again without them. */
export function chainsCommand(): Command {
  return new Command("chains")
    .description("run the local chains alone, for an emulator in another process (--chain)")
    .option("--chains <count>", "how many (default: 2)", readCount)
    .option("--chain-ids <ids>", "their ids, one a chain (default: from 31337 on)", readIds)
    .option(
      "--port <ports>",
      "where they listen, one a chain (default: from 8545 on, or free ones)",
      readPorts,
    )
    .option("--host <hostname>", "address to listen on", "127.0.0.1")
    .option(
      "--now <time>",
      "when their time starts: a date in ISO 8601, or unix seconds (default: now)",
      readMoment,
    )
    .option("--cors <origins>", "pages that may use them: any, none, or origins (default: any)", readOrigins)
    .option("--out <file>", "write what is printed into a file once they can serve")
    .option("--quiet", "print nothing but errors")
    .action(run);
}

async function run(options: Options): Promise<void> {
  // Not before there is something to start: help, and what is wrong with a flag, need not wait for it.
  const { startChains } = await import("../emulator/index.ts");
  const started = await startChains({
    chainCount: options.chains,
    chainIds: options.chainIds,
    chainPorts: options.port,
    cors: options.cors,
    hostname: options.host,
    now: options.now,
  });
  // Listened for before anybody is told that they run: whoever waits for the file may stop them at once.
  const stopped = stopSignal();
  try {
    const json = `${JSON.stringify(describe(started), null, 2)}\n`;
    if (options.out !== undefined) await writeOut(options.out, json);
    if (options.quiet !== true) process.stdout.write(json);
    await stopped;
  } finally {
    await started.close();
  }
  // Connections that clients keep to the chains' servers would hold the process.
  process.exit(process.exitCode ?? 0);
}

function describe({ chains }: StartedChains): object {
  return {
    chains: chains.map(({ definition, rpcUrl, wsRpcUrl }) => ({
      id: definition.id,
      name: definition.name,
      rpcUrl,
      vmType: "evm",
      wsRpcUrl,
    })),
  };
}
