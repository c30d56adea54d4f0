import type { QuoteFees } from "../../../src/schema/quote/quote.ts";
import { amountObject } from "../../currencies/amountObject.ts";
import { formatUsd, roundToMicros, usdOf } from "../../money/prices.ts";
import { isGasless } from "../../requests/PermitTerms.ts";
import { isLeg } from "../../router/SwapLeg.ts";
import type { PricedRoute } from "../route/PricedRoute.ts";
import { gasPriceOf } from "./fillCost.ts";

/** Gas of the user's transaction, rounded up. It only affects the shown fee. */
const depositGas = 60_000n;
const routedGas = 250_000n;

/**
 * The fees of a quote. All but the gas are in the deposit's currency and part of the deposit. A gasless deposit includes its
 * gas in them, and the user pays none.
 */
export function quoteFees({ amounts, permit, read, route }: PricedRoute): QuoteFees {
  const { origin } = read;
  const [native] = origin.currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  const { appFees, relayerGas, relayerService } = amounts;
  const currency = route.origin.to;
  const isRouted =
    isLeg(route.origin) || permit !== undefined || (route.via === "self" && read.kind !== "Send");
  const gas = isGasless(permit) ? 0n : isRouted ? routedGas : depositGas;
  const zero = amountObject(origin, currency, 0n);
  const fee = (amount: bigint) => (amount === 0n ? zero : amountObject(origin, currency, amount));
  return {
    app: fee(appFees.reduce((sum, share) => sum + share, 0n)),
    gas: amountObject(origin, native, gas * gasPriceOf(origin)),
    relayer: {
      ...amountObject(origin, currency, relayerGas + relayerService),
      // The parts are rounded separately, so that the shown values add up.
      amountUsd: formatUsd(
        roundToMicros(usdOf(relayerGas, currency)) + roundToMicros(usdOf(relayerService, currency)),
      ),
    },
    relayerGas: fee(relayerGas),
    relayerService: fee(relayerService),
    subsidized: zero,
  };
}
