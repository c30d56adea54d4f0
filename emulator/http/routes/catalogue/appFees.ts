import type { Address } from "viem";
import * as z from "zod";
import {
  type AppFeeBalances,
  appFeeBalancesSchema,
  claimRequestSchema,
  claimResponseSchema,
} from "../../../../src/schema/quote/appFees.ts";
import type { Context } from "../../../context/Context.ts";
import { amountObject } from "../../../currencies/currencyId.ts";
import { usdOf } from "../../../money/prices.ts";
import { createClaim } from "../../../quote/claims/createClaim.ts";
import { heldBalances } from "../../../quote/claims/planDebits.ts";
import { parseAddress } from "../../../quote/request/parseAccount.ts";
import { readAppFeeBalances } from "../../../requests/accrueAppFees.ts";
import { outstandingAdvances } from "../../../requests/isAdvanceOwed.ts";
import { type Deps, defineRoute, quoteRefusals, type Route, unsupported } from "../../route/Route.ts";

/** `GET /app-fees/{wallet}/balances` and `POST /app-fees/{wallet}/claim`: app fees of successful requests, and their payout. */
export function appFeesRoutes({ context }: Deps): readonly Route[] {
  return [
    defineRoute({
      endpoint: "GET /app-fees/:wallet/balances",
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
    defineRoute({
      endpoint: "POST /app-fees/:wallet/claim",
      operationId: "claimAppFees",
      tag: "Execution",
      summary: "Starts a claim of app fees",
      description:
        "The answer has one signature step. The claim is a request: its id finds its status and its record. Money moves once the wallet's signature is posted to `/execute/permits`, in any currency of any chain, at present prices less gas.",
      params: z.object({ wallet: z.string() }),
      body: claimRequestSchema,
      answers: {
        200: { body: claimResponseSchema, description: "The step to sign" },
        400: quoteRefusals[400],
        503: quoteRefusals[503],
      },
      handle: async ({ body, http, params: { wallet } }) =>
        http.json(await createClaim(wallet, body, context)),
    }),
  ];
}

/** Sums an integrator's earned and claimable fees, by chain and currency. */
async function appFeeBalances(
  wallet: Address,
  { chains, store }: Pick<Context, "chains" | "store">,
): Promise<AppFeeBalances> {
  const balances = heldBalances(await readAppFeeBalances(store, wallet), chains);
  const micros = balances.reduce((sum, { amount, currency }) => sum + usdOf(amount, currency) / perMicro, 0n);
  const owed = BigInt(await outstandingAdvances(store, { wallet }));
  const usd = Number(micros) / 1_000_000;
  return {
    availableBalanceUsd: Number(micros > owed ? micros - owed : 0n) / 1_000_000,
    balances: balances.map(({ amount, chain, currency }) => amountObject(chain, currency, amount)),
    outstandingFastFillBalanceUsd: Number(owed) / 1_000_000,
    totalBalanceUsd: usd,
  };
}

/** Dollars are stored in units of 1e-18, and shown in millionths. */
const perMicro = 10n ** 12n;
