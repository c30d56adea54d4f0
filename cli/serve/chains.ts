import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { StartedChains } from "../../emulator/index.ts";
import { withFlags, withWork } from "../terminal/runCommand.ts";
import { serve, servingFlags } from "./serve.ts";

/** `waybill chains`: only the local chains, which survive restarts of an emulator. */
export function chainsCommand(): CommandUnknownOpts {
  const command = new Command("chains")
    .description("run the local chains alone, for an emulator in another process (--chain)")
    .addHelpText(
      "after",
      `
Examples:
  waybill chains --out chains.json
  waybill chains --chains 3 --chain-ports 9545,9546,9547
  waybill emulator --chain 31337=http://127.0.0.1:8545 --chain 31338=http://127.0.0.1:8546`,
    );
  return withWork(
    withFlags(command, servingFlags),
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
