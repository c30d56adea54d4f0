import { task } from "hardhat/config";
import { ArgumentType } from "hardhat/types/arguments";
import type { HardhatPlugin } from "hardhat/types/plugins";
import type { WaybillConnection } from "./WaybillConnection.ts";

export type { StartOptions, WaybillConnection } from "./WaybillConnection.ts";

declare module "hardhat/types/network" {
  interface NetworkConnection<ChainTypeT extends ChainType | string = DefaultChainType> {
    /** The cross-chain service on this connection's chain. */
    readonly waybill: WaybillConnection;
  }
}

/**
 * The Hardhat plugin: each connection gets `waybill`, and chai the matchers of `@waybill/emulator/testing`. Nothing starts
 * before a test asks for it.
 *
 * @example
 * import waybill from "@waybill/hardhat";
 * import { defineConfig } from "hardhat/config";
 *
 * export default defineConfig({ plugins: [waybill], solidity: "0.8.28" });
 */
const waybill: HardhatPlugin = {
  hookHandlers: {
    network: () => import("./hooks/network.ts"),
    test: () => import("./hooks/test.ts"),
  },
  id: "waybill",
  npmPackage: "@waybill/hardhat",
  tasks: [
    task("waybill:emulator", "Run the cross-chain service over this project's network and a twin of it")
      .addOption({
        defaultValue: undefined,
        description: "Network that users pay on, instead of a twin",
        name: "origin",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
      })
      .addOption({
        defaultValue: undefined,
        description: "File for addresses, accounts, keys and URLs as JSON, once everything can serve",
        name: "out",
        type: ArgumentType.STRING_WITHOUT_DEFAULT,
      })
      .addOption({
        defaultValue: 4000,
        description: "Where the API listens; 0 for any free port",
        name: "port",
        type: ArgumentType.INT,
      })
      .setAction(() => import("./tasks/emulator.ts"))
      .build(),
  ],
};

export default waybill;
