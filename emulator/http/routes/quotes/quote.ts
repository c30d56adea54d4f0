import { type Price, priceSchema } from "../../../../src/schema/quote/price.ts";
import { quoteSchema } from "../../../../src/schema/quote/quote.ts";
import { type QuoteRequest, quoteRequestSchema } from "../../../../src/schema/quote/quoteRequest.ts";
import type { Context } from "../../../context/Context.ts";
import { QuoteError } from "../../../errors/refusals.ts";
import { createQuote } from "../../../quote/createQuote.ts";
import { priceIntent } from "../../../quote/price/priceIntent.ts";
import { assertIntegrator } from "../../../quote/request/options.ts";
import { readSponsorship } from "../../../quote/sponsorship/readSponsorship.ts";
import { textAnswer } from "../../body/jsonAnswer.ts";
import { presentedKey } from "../../middleware/keyChecks.ts";
import { type Deps, defineRoute, quoteRefusals, type Route } from "../../route/Route.ts";

/**
 * `POST /quote/v2` (specification, "POST /quote/v2"), `POST /quote`, its alias, and `POST /price`, a quote without steps. All
 * take the same body.
 */
export function quoteRoutes({ context }: Deps): readonly Route[] {
  const quote = (path: "/quote" | "/quote/v2", operationId: string, summary: string) =>
    defineRoute({
      endpoint: `POST ${path}`,
      operationId,
      tag: "Quotes",
      summary,
      description:
        "Stores a request that waits for its deposit and answers with the steps to execute. A request made with an API key belongs to that key.",
      body: quoteRequestSchema,
      answers: { 200: { body: quoteSchema, description: "The quote" }, ...quoteRefusals },
      handle: async ({ body, http }) => {
        await assertNotForced(body, context);
        const { json } = await createQuote(body, context, presentedKey(http, context.apiKeys));
        return textAnswer(http, json);
      },
    });
  return [
    quote("/quote/v2", "getQuote", "Prices an intent"),
    quote("/quote", "getQuoteV1", "Prices an intent, first version: the same"),
    defineRoute({
      endpoint: "POST /price",
      operationId: "getPrice",
      tag: "Quotes",
      summary: "The numbers of a quote, without steps",
      description: "Stores nothing.",
      body: quoteRequestSchema,
      answers: { 200: { body: priceSchema, description: "Fees and details" }, ...quoteRefusals },
      handle: async ({ body, http }) => {
        await assertNotForced(body, context);
        const apiKey = presentedKey(http, context.apiKeys);
        assertIntegrator(body, apiKey);
        const sponsorship = await readSponsorship(body, apiKey, context);
        const { details, fees } = await priceIntent(body, context, sponsorship);
        return http.json({ details, fees } satisfies Price);
      },
    }),
  ];
}

/** Refuses a quote or a price if a fault says so. */
async function assertNotForced(
  request: QuoteRequest,
  { chains, control }: Pick<Context, "chains" | "control">,
): Promise<void> {
  const fault = await control.faults.forQuote(request);
  if (fault === undefined) return;
  const { errorCode, errorData, message } = fault;
  const isSimulation = errorCode === "DESTINATION_TX_FAILED";
  const head = chains.get(request.destinationChainId)?.head();
  throw new QuoteError(errorCode, message, {
    approxSimulatedBlock: isSimulation && head !== undefined ? Number(head.number) : undefined,
    errorData: errorData ?? (isSimulation ? "execution reverted" : undefined),
  });
}
