import * as z from "zod";
import { formatExchangeAmount } from "../../src/perps/amounts.ts";
import { perpsUsdcDecimals } from "../../src/perps/constants.ts";
import { evmAddressSchema } from "../../src/schema/wire/hex.ts";
import type { Store } from "../store/tables.ts";
import { balanceIn } from "./balances.ts";
import { assetByToken, exchangeAssets, markets, spotTokens } from "./exchangeCurrencies.ts";

const usdcToken = exchangeAssets[0].token;

/** A dex of perps: the exchange's own, or a market of a third party. */
const perpsDex = z.enum(["", ...markets]);

/** Questions that the exchange answers, by `type`. */
export const infoRequestSchema = z.discriminatedUnion("type", [
  z.looseObject({
    dex: perpsDex.default(""),
    type: z.literal("clearinghouseState"),
    user: evmAddressSchema,
  }),
  z.looseObject({ type: z.literal("spotClearinghouseState"), user: evmAddressSchema }),
  z.looseObject({ type: z.literal("spotMeta") }),
]);

/** Answers a question in the exchange's form. Accounts have no positions and no orders. */
export async function readInfo(
  store: Store,
  question: z.output<typeof infoRequestSchema>,
  now: number,
): Promise<Readonly<Record<string, unknown>>> {
  switch (question.type) {
    case "clearinghouseState":
      return perpsState(store, question.dex, question.user, now);
    case "spotClearinghouseState":
      return { balances: await spotBalances(store, question.user) };
    case "spotMeta":
      return spotMeta();
  }
}

async function perpsState(store: Store, dex: string, user: string, now: number) {
  const asset = assetByToken(dex, usdcToken);
  const amount = asset === undefined ? 0n : await balanceIn(store, asset.address, user);
  const withdrawable = formatExchangeAmount({ amount, decimals: perpsUsdcDecimals });
  const summary = {
    accountValue: withdrawable,
    totalMarginUsed: "0.0",
    totalNtlPos: "0.0",
    totalRawUsd: withdrawable,
  };
  return {
    assetPositions: [],
    crossMaintenanceMarginUsed: "0.0",
    crossMarginSummary: summary,
    marginSummary: summary,
    time: now,
    withdrawable,
  };
}

async function spotBalances(store: Store, user: string) {
  const balances = [];
  for (const [token, { name, tokenId, weiDecimals }] of spotTokens.entries()) {
    const amount = await balanceIn(store, tokenId, user);
    if (amount === 0n) continue;
    const total = formatExchangeAmount({ amount, decimals: weiDecimals });
    balances.push({ coin: name, entryNtl: "0.0", hold: "0.0", token, total });
  }
  return balances;
}

function spotMeta() {
  return {
    tokens: spotTokens.map((token, index) => ({ ...token, evmContract: null, index, isCanonical: true })),
    universe: [],
  };
}
