import * as z from "zod";
import { formatExchangeAmount } from "../../../../src/perps/amounts.ts";
import { perpsUsdcDecimals } from "../../../../src/perps/constants.ts";
import { exchangeResponseSchema } from "../../../../src/schema/quote/exchangeAction.ts";
import { evmAddressSchema } from "../../../../src/schema/wire/hex.ts";
import { balanceIn } from "../../../perps/balances.ts";
import { assetByToken, exchangeAssets, markets, spotTokens } from "../../../perps/exchangeCurrencies.ts";
import { exchangePath } from "../../../perps/openExchange.ts";
import type { Store } from "../../../store/tables.ts";
import { assertFound, type Deps, defineRoute, notFound, type Route } from "../../route/Route.ts";

/**
 * The exchange's own API below `/perps`, in place of its host: `POST /exchange` and `POST /info`. Both answer 404 unless
 * the emulator was started with the exchange.
 */
export function exchangeRoutes({ context }: Deps): readonly Route[] {
  const { exchange, now, store } = context;
  const tag = "Perps exchange";
  const off = notFound("The exchange is off", "NOT_FOUND");
  return [
    defineRoute({
      endpoint: `POST ${exchangePath}/exchange`,
      operationId: "postExchangeAction",
      tag,
      summary: "Executes a signed action of the perps exchange",
      description:
        "Answers 200 with `status` `ok` or `err`, as the exchange does. A refused action moves nothing.",
      body: z.looseObject({}),
      answers: { 200: { body: exchangeResponseSchema, description: "The exchange's answer" }, 404: off },
      handle: async ({ body, http }) =>
        http.json(await assertFound(exchange, "The perps exchange is off").execute(body)),
    }),
    defineRoute({
      endpoint: `POST ${exchangePath}/info`,
      operationId: "postExchangeInfo",
      tag,
      summary: "Balances and metadata of the perps exchange",
      body: infoRequestSchema,
      answers: {
        200: { body: z.looseObject({}), description: "The exchange's answer, by `type`" },
        404: off,
      },
      handle: async ({ body, http }) => {
        assertFound(exchange, "The perps exchange is off");
        return http.json(await readInfo(store, body, now()));
      },
    }),
  ];
}

const usdcToken = exchangeAssets[0].token;

/** A dex of perps: the exchange's own, or a market of a third party. */
const perpsDex = z.enum(["", ...markets]);

/** Questions that the exchange answers, by `type`. */
const infoRequestSchema = z.discriminatedUnion("type", [
  z.looseObject({
    dex: perpsDex.default(""),
    type: z.literal("clearinghouseState"),
    user: evmAddressSchema,
  }),
  z.looseObject({ type: z.literal("spotClearinghouseState"), user: evmAddressSchema }),
  z.looseObject({ type: z.literal("spotMeta") }),
]);

/** Answers a question in the exchange's form. Accounts have no positions and no orders. */
async function readInfo(
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
