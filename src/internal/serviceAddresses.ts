import { InvalidParameterError } from "../errors/InvalidParameterError.ts";

/**
 * Addresses of the public service and of the perps exchange, where requests move real money. No function calls them unless
 * they are given to it.
 *
 * @example
 * import { createClient, production } from "waybill/client";
 *
 * console.log(createClient({ ...production, timeout: 5_000 }).baseUrl); // "https://api.relay.link"
 */
export const production = Object.freeze({
  baseUrl: "https://api.relay.link",
  exchangeUrl: "https://api.hyperliquid.xyz",
  wsUrl: "wss://ws.relay.link",
});

/**
 * Addresses of the public service for test networks. It has no perps exchange.
 *
 * @example
 * import { createClient, testnet } from "waybill/client";
 *
 * console.log(createClient(testnet).baseUrl); // "https://api.testnets.relay.link"
 */
export const testnet = Object.freeze({
  baseUrl: "https://api.testnets.relay.link",
  wsUrl: "wss://ws.testnets.relay.link",
});

/**
 * Refuses to guess where a service is.
 *
 * @param value The address that the caller gave.
 * @param parameter Name to blame in the error.
 * @throws InvalidParameterError when it is missing, with the addresses that there are.
 *
 * @example
 * assertNamed("http://127.0.0.1:4000", "baseUrl");
 */
export function assertNamed(value: unknown, parameter: "baseUrl" | "url"): asserts value {
  if (value !== undefined) return;
  const names =
    parameter === "url"
      ? "`production.exchangeUrl` or an exchange of your own"
      : "`production.baseUrl`, `testnet.baseUrl` or an emulator's `info.apiUrl`";
  throw new InvalidParameterError({ parameter, reason: `it has no default; give ${names}` });
}
