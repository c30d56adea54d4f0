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
export const production = /* @__PURE__ */ Object.freeze({
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
export const testnet = /* @__PURE__ */ Object.freeze({
  baseUrl: "https://api.testnets.relay.link",
  wsUrl: "wss://ws.testnets.relay.link",
});

/** Choices for a `baseUrl`, for {@link assertUrlGiven}. */
export const serviceNames = "`production`, `testnet` or an emulator's `info.apiUrl`";

/**
 * Refuses a missing address: there is no default service.
 *
 * @param value The address that the caller gave.
 * @param parameter Name to blame in the error.
 * @param names Choices, for the error.
 * @throws InvalidParameterError when it is missing.
 *
 * @example
 * assertUrlGiven("http://127.0.0.1:4000", "baseUrl", serviceNames);
 */
export function assertUrlGiven(value: unknown, parameter: string, names: string): void {
  if (value === undefined) throw new InvalidParameterError({ parameter, reason: `give ${names}` });
}
