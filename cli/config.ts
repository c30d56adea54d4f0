import type { WaybillConfig } from "./settings/parseConfig.ts";

export type { TrustedChain, TrustedRouter, TrustRoots } from "../src/calls/verify/TrustRoots.ts";
export type { SecretSource, WaybillConfig } from "./settings/parseConfig.ts";

/**
 * Types a configuration of the `waybill` command. Returns it unchanged; the command validates it when it reads the file.
 *
 * @example
 * import { defineConfig } from "@waybill/emulator/config";
 *
 * export default defineConfig({
 *   apiKey: { env: "MY_API_KEY" },
 *   chains: { 31337: { rpcUrl: "http://127.0.0.1:8545" } },
 *   url: "http://127.0.0.1:4000",
 * });
 */
export function defineConfig(config: WaybillConfig): WaybillConfig {
  return config;
}
