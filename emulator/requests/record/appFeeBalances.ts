import type { Address } from "viem";
import type { AppFeeBalances } from "../../../src/schema/quote/appFees.ts";
import type { Chain, LocalCurrency } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { amountObject } from "../../currencies/amountObject.ts";
import { usdOf } from "../../money/prices.ts";

/** Sums what an integrator earned and can claim, by chain and currency. */
export async function appFeeBalances(
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
