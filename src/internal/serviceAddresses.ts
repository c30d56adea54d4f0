import { InvalidParameterError } from "../errors/InvalidParameterError.ts";

/**
 * URLs of the public service and of the perps exchange. Requests there move real money. No function uses them by
 * default.
 */
export const production = /* @__PURE__ */ Object.freeze({
  baseUrl: "https://api.relay.link",
  exchangeUrl: "https://api.hyperliquid.xyz",
  wsUrl: "wss://ws.relay.link",
});

/** URLs of the public service for test networks, which has no perps exchange. */
export const testnet = /* @__PURE__ */ Object.freeze({
  baseUrl: "https://api.testnets.relay.link",
  wsUrl: "wss://ws.testnets.relay.link",
});

/** Choices for a `baseUrl`, for {@link assertUrlGiven}. */
export const serviceNames = "`production`, `testnet` or an emulator's `info.apiUrl`";

/**
 * Rejects a missing URL: there is no default service.
 *
 * @throws InvalidParameterError for a missing URL.
 */
export function assertUrlGiven(value: unknown, parameter: string, names: string): void {
  if (value === undefined) throw new InvalidParameterError({ parameter, reason: `give ${names}` });
}
