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
};

export default waybill;
