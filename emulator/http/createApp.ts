import { Hono } from "hono";
import { cors } from "hono/cors";
import { ControlRefusedError } from "../control/ControlRefusedError.ts";
import { QuoteError } from "../quote/QuoteError.ts";
import { apiKeyCheck } from "./apiKey.ts";
import type { Deps } from "./Deps.ts";
import { errorAnswer } from "./errorBody.ts";
import { rateLimiter } from "./limits/rateLimiter.ts";
import { BodyTooLargeError } from "./readBody.ts";
import { InvalidRequestError } from "./readJson.ts";
import { routeFaults } from "./routeFaults.ts";
import { adminRoute } from "./routes/admin.ts";
import { adminWebhooksRoute } from "./routes/adminWebhooks.ts";
import { authorizeRoute } from "./routes/authorize.ts";
import { chainsRoute } from "./routes/chains.ts";
import { configRoute } from "./routes/config.ts";
import { consoleRoute } from "./routes/console.ts";
import { currenciesRoute } from "./routes/currencies.ts";
import { liquidityRoute } from "./routes/liquidity.ts";
import { priceRoute } from "./routes/price.ts";
import { quoteRoute } from "./routes/quote.ts";
import { requestsRoute } from "./routes/requests.ts";
import { signatureRoute } from "./routes/signature.ts";
import { statusRoute } from "./routes/status.ts";
import { transactionsRoute } from "./routes/transactions.ts";

const routes: readonly ((deps: Deps) => Hono)[] = [
  adminRoute,
  adminWebhooksRoute,
  authorizeRoute,
  chainsRoute,
  configRoute,
  consoleRoute,
  currenciesRoute,
  liquidityRoute,
  priceRoute,
  quoteRoute,
  requestsRoute,
  signatureRoute,
  statusRoute,
  transactionsRoute,
];

/**
 * The service's HTTP interface as a fetch handler; listening is somebody else's work.
 *
 * @param deps Store, chains, solver.
 */
export function createApp(deps: Deps): Hono {
  const app = new Hono();
  // First, so that pages in a browser can read what is refused too.
  if (deps.cors !== false) app.use(cors({ origin: typeof deps.cors === "object" ? [...deps.cors] : "*" }));
  app.use(routeFaults(deps.context));
  app.use(apiKeyCheck(deps.context.apiKeys));
  app.use(rateLimiter(deps));
  for (const route of routes) app.route("/", route(deps));
  app.notFound((http) => errorAnswer(http, 404, "There is nothing here", { errorCode: "NOT_FOUND" }));
  app.onError((error, http) => {
    if (error instanceof InvalidRequestError) {
      return errorAnswer(http, 400, error.message, { errorCode: "INVALID_REQUEST" });
    }
    if (error instanceof BodyTooLargeError) {
      return errorAnswer(http, 413, error.message, { errorCode: "BODY_TOO_LARGE" });
    }
    if (error instanceof ControlRefusedError) {
      return errorAnswer(http, 409, error.shortMessage, { errorCode: "CONTROL_REFUSED" });
    }
    if (error instanceof QuoteError) {
      const { errorCode, errorData, failedCallData, message } = error;
      return errorAnswer(http, 400, message, { errorCode, errorData, failedCallData });
    }
    // What went wrong inside stays inside: the log has it under the id that the answer carries.
    const requestId = deps.context.random32();
    deps.context.log({
      cause: error,
      level: "error",
      message: `${http.req.method} ${http.req.path} failed`,
      requestId,
    });
    return errorAnswer(http, 500, "Something went wrong", { errorCode: "UNKNOWN_ERROR", requestId });
  });
  return app;
}
