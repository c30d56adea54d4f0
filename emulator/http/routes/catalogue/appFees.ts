import type { Address } from "viem";
import * as z from "zod";
import { type AppFeeBalances, appFeeBalancesSchema } from "../../../../src/schema/quote/appFees.ts";
import type { Chain, LocalCurrency } from "../../../chains/Chain.ts";
import type { Context } from "../../../context/Context.ts";
import { amountObject } from "../../../currencies/amountObject.ts";
import { usdOf } from "../../../money/prices.ts";
import { parseAddress } from "../../../quote/request/parseAddress.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";
import { unsupported } from "../../route/refusals.ts";

/** `GET /app-fees/{wallet}/balances`: app fees that integrators earned by successful requests. */
export function appFeesRoutes({ context }: Deps): readonly Route[] {
  return [
    defineRoute({
      method: "get",
      path: "/app-fees/:wallet/balances",
      operationId: "getAppFeeBalances",
      tag: "Requests",
      summary: "The app fees that a wallet has earned",
      params: z.object({ wallet: z.string() }),
      answers: {
        200: { body: appFeeBalancesSchema, description: "In USDC" },
        400: unsupported("INVALID_ADDRESS"),
      },
      handle: async ({ http, params: { wallet } }) =>
        http.json(await appFeeBalances(parseAddress(wallet, "INVALID_ADDRESS", "wallet"), context)),
    }),
  ];
}

/** Sums an integrator's earned and claimable fees, by chain and currency. */
async function appFeeBalances(
  wallet: Address,
  { chains, store }: Pick<Context, "chains" | "store">,
): Promise<AppFeeBalances> {
  const rows = await store
    .selectFrom("app_fees")
    .select(["chain_id", "currency", "amount"])
    .where("recipient", "=", wallet.toLowerCase())
    .orderBy("chain_id")
    .orderBy("currency")
    .execute();
  const held = new Map<string, { chain: Chain; currency: LocalCurrency; amount: bigint }>();
  for (const { amount, chain_id, currency } of rows) {
    const key = `${chain_id} ${currency}`;
    const entry = held.get(key) ?? { amount: 0n, ...placeOf(chains, chain_id, currency) };
    held.set(key, { ...entry, amount: entry.amount + BigInt(amount) });
  }
  const balances = [...held.values()].filter(({ amount }) => amount > 0n);
  const micros = balances.reduce((sum, { amount, currency }) => sum + usdOf(amount, currency) / perMicro, 0n);
  const usd = Number(micros) / 1_000_000;
  return {
    availableBalanceUsd: usd,
    balances: balances.map(({ amount, chain, currency }) => amountObject(chain, currency, amount)),
    outstandingFastFillBalanceUsd: 0,
    totalBalanceUsd: usd,
  };
}

/** Dollars are stored in units of 1e-18, and shown in millionths. */
const perMicro = 10n ** 12n;

function placeOf(chains: Context["chains"], chainId: number, address: string) {
  const chain = chains.get(chainId);
  const currency = chain?.currencies.find((each) => each.address.toLowerCase() === address);
  if (chain === undefined || currency === undefined) {
    throw new Error(`app fees are in ${address} of chain ${chainId}, which is not configured`);
  }
  return { chain, currency };
}
