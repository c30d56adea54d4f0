import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { anyAddressSchema } from "../../schema/wire/hex.ts";
import { readParameters } from "./readParameters.ts";

/**
 * Builds the path of an app-fee endpoint of a wallet.
 *
 * @throws InvalidParameterError when the wallet is no address of any VM.
 */
export function appFeesPath(wallet: string, action: "balances" | "claim"): string {
  const owner = readParameters(anyAddressSchema, wallet, "wallet");
  if (!/^\.{1,2}$/.test(owner)) return `/app-fees/${encodeURIComponent(owner)}/${action}`;
  // `encodeURIComponent` keeps dots, which could lead to another endpoint.
  throw new InvalidParameterError({ parameter: "wallet", reason: "not an address" });
}
