import { Command } from "commander";
import type { StartedChains } from "../../emulator/index.ts";
import { readCount } from "../flags/readCount.ts";
import { readIds } from "../flags/readIds.ts";
import { readMoment } from "../flags/readMoment.ts";
import { readOrigins } from "../flags/readOrigins.ts";
import { readPorts } from "../flags/readPorts.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import { serve } from "./serve.ts";

type Options = {
  chains?: number;
  chainIds?: number[];
  chainPorts?: number[];
  cors?: boolean | readonly string[];
  host: string;
  now?: number;
  out?: string;
  quiet?: boolean;
};

/** `waybill chains`: only the local chains, which survive restarts of an emulator. */
export function chainsCommand(): Command {
  const command = new Command("chains")
    .description("run the local chains alone, for an emulator in another process (--chain)")
    .option("--chains <count>", "how many (default: 2)", readCount)
    .option("--chain-ids <ids>", "their ids, one a chain (default: from 31337 on)", readIds)
    .option(
      "--chain-ports <ports>",
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
    .addHelpText(
      "after",
      `
Examples:
  waybill chains --out chains.json
  waybill chains --chains 3 --chain-ports 9545,9546,9547
  waybill emulator --chain 31337=http://127.0.0.1:8545 --chain 31338=http://127.0.0.1:8546`,
    );
  return withWork<Options, []>(command, run, { isServer: true });
}

async function run(terminal: Terminal, options: Options): Promise<void> {
  // Imported lazily, so that `--help` and flag errors do not load the emulator.
  const { startChains } = await import("../../emulator/index.ts");
  const started = await startChains({
    chainCount: options.chains,
    chainIds: options.chainIds,
    chainPorts: options.chainPorts,
    cors: options.cors,
    hostname: options.host,
    now: options.now,
  });
  const json = `${JSON.stringify(describe(started), null, 2)}\n`;
  await serve(terminal, {
    json,
    out: options.out,
    stop: started.close,
    text: options.quiet === true ? "" : json,
  });
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
