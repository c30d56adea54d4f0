import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { StartedChains } from "../../emulator/index.ts";
import { readCount, readIds, readMoment, readOrigins, readPorts } from "../flags/readFlags.ts";
import { withWork } from "../terminal/runCommand.ts";
import { serve } from "./serve.ts";

/** `waybill chains`: only the local chains, which survive restarts of an emulator. */
export function chainsCommand(): CommandUnknownOpts {
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
  return withWork(
    command,
    async (terminal, { chainIds, chainPorts, chains, cors, host, now, out, quiet }) => {
      // Imported lazily, so that `--help` and flag errors do not load the emulator.
      const { startChains } = await import("../../emulator/index.ts");
      const where = { chainIds, chainPorts, cors, hostname: host, now };
      const started = await startChains({ ...where, chainCount: chains });
      const json = `${JSON.stringify(describe(started), null, 2)}\n`;
      await serve(terminal, { json, out, stop: started.close, text: quiet === true ? "" : json });
    },
    { isServer: true },
  );
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
