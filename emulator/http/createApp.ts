import { Hono, type Context as HonoContext } from "hono";
import { serviceErrorCodes } from "../../src/errors/serviceErrorCodes.ts";
import { chainReplacedIn } from "../chains/evm/guardIdentity.ts";
import { unreachableChain } from "../chains/evm/unreachableChain.ts";
import { sunsetOf } from "../context/EmulatorConfig.ts";
import { ControlRefusedError } from "../errors/ControlRefusedError.ts";
import { QuoteError } from "../errors/QuoteError.ts";
import { refusalStatus } from "../quote/refusalStatus.ts";
import { isAboutOutage } from "../store/dialect/connectionLoss.ts";
import { errorAnswer } from "./body/errorBody.ts";
import { BodyAbortedError, BodyTooLargeError } from "./body/readBody.ts";
import { InvalidRequestError } from "./body/readJson.ts";
import { allowOrigins } from "./middleware/allowOrigins.ts";
import { adminKeyCheck, apiKeyCheck } from "./middleware/keyChecks.ts";
import { rateLimiter } from "./middleware/rateLimiter.ts";
import { announceRetirement } from "./middleware/retiring.ts";
import { routeFaults } from "./middleware/routeFaults.ts";
import type { Deps } from "./route/Deps.ts";
import { mountRoutes, type Route } from "./route/Route.ts";
import { adminWebhooksRoutes } from "./routes/admin/adminWebhooks.ts";
import { controlRoutes } from "./routes/admin/controlRoutes.ts";
import { historyRoutes } from "./routes/admin/history.ts";
import { appFeesRoutes } from "./routes/catalogue/appFees.ts";
import { chainsRoutes } from "./routes/catalogue/chains.ts";
import { currenciesRoutes } from "./routes/catalogue/currencies.ts";
import { imagesRoutes } from "./routes/catalogue/images.ts";
import { liquidityRoutes } from "./routes/catalogue/liquidity.ts";
import { consoleRoutes } from "./routes/pages/console.ts";
import { documentRoutes } from "./routes/pages/documents.ts";
import { explorerRoutes } from "./routes/pages/explorer.ts";
import { authorizeRoutes } from "./routes/quotes/authorize.ts";
import { configRoutes } from "./routes/quotes/config.ts";
import { permitsRoutes } from "./routes/quotes/permits.ts";
import { priceRoutes } from "./routes/quotes/price.ts";
import { quoteRoutes } from "./routes/quotes/quote.ts";
import { requestMetadataRoutes } from "./routes/requests/requestMetadata.ts";
import { requestsRoutes } from "./routes/requests/requests.ts";
import { signatureRoutes } from "./routes/requests/signature.ts";
import { statusRoutes } from "./routes/requests/status.ts";
import { transactionsRoutes } from "./routes/requests/transactions.ts";
import { unbuiltRoutes } from "./routes/unbuilt.ts";

/** `Retry-After` while the database or a chain is unreachable. */
const retryAfterSeconds = "1";

/** Answers with a quote error. An unexpected one is logged, and its `requestId` is part of the answer. */
function refuse(http: HonoContext, error: QuoteError, { log, random32 }: Deps["context"]): Response {
  const { approxSimulatedBlock, errorCode, errorData, failedCallData, message } = error;
  const { expected, retryable } = serviceErrorCodes[errorCode];
  const requestId = expected ? undefined : random32();
  if (requestId !== undefined) {
    log({ level: "info", message: `${http.req.method} ${http.req.path} refused: ${errorCode}`, requestId });
  }
  if (retryable) http.header("Retry-After", retryAfterSeconds);
  const context = { approxSimulatedBlock, errorCode, errorData, failedCallData, requestId };
  return errorAnswer(http, refusalStatus(errorCode), message, context);
}

/** Routes in the order of the OpenAPI document. */
const served: readonly ((deps: Deps) => readonly Route[])[] = [
  quoteRoutes,
  priceRoutes,
  permitsRoutes,
  authorizeRoutes,
  transactionsRoutes,
  statusRoutes,
  requestsRoutes,
  requestMetadataRoutes,
  signatureRoutes,
  appFeesRoutes,
  chainsRoutes,
  liquidityRoutes,
  currenciesRoutes,
  configRoutes,
  consoleRoutes,
  explorerRoutes,
  imagesRoutes,
  controlRoutes,
  adminWebhooksRoutes,
  historyRoutes,
  unbuiltRoutes,
];

/** All routes with their documentation. */
export function allRoutes(deps: Deps): readonly Route[] {
  const routes: readonly Route[] = [...served.flatMap((make) => make(deps)), ...documentRoutes(() => routes)];
  return routes;
}

/**
 * Creates the service's HTTP API as a fetch handler. `listen` serves it.
 */
export function createApp(deps: Deps): Hono {
  const app = new Hono();
  // First, so that browser pages can read refusals too.
  if (deps.cors !== false) app.use(allowOrigins(deps.cors));
  app.use(
    "/requests/v2",
    announceRetirement(() => sunsetOf(deps.context.control.config.get())),
  );
  app.use(routeFaults(deps.context));
  app.use(apiKeyCheck(deps.context.apiKeys));
  app.use(rateLimiter(deps));
  app.use("/admin/*", adminKeyCheck(deps.context.adminKey));
  mountRoutes(app, allRoutes(deps));
  app.notFound((http) => errorAnswer(http, 404, "There is nothing here", { errorCode: "NOT_FOUND" }));
  app.onError((error, http) => answerFailure(http, error, deps.context));
  return app;
}

/** Answers with the status and code of an error thrown by a route. An unknown error is logged and answered with 500. */
function answerFailure(http: HonoContext, error: Error, context: Deps["context"]): Response {
  if (error instanceof InvalidRequestError) {
    return errorAnswer(http, 400, error.message, { errorCode: "INVALID_REQUEST" });
  }
  if (error instanceof BodyAbortedError) {
    return errorAnswer(http, 400, error.message, { errorCode: "INVALID_REQUEST" });
  }
  if (error instanceof BodyTooLargeError) {
    return errorAnswer(http, 413, error.message, { errorCode: "BODY_TOO_LARGE" });
  }
  if (error instanceof ControlRefusedError) {
    return errorAnswer(http, 409, error.shortMessage, { errorCode: "CONTROL_REFUSED" });
  }
  if (error instanceof QuoteError) {
    return refuse(http, error, context);
  }
  if (isAboutOutage(error)) {
    http.header("Retry-After", retryAfterSeconds);
    return errorAnswer(http, 503, "The database is not reached", { errorCode: "SERVICE_UNAVAILABLE" });
  }
  const replaced = chainReplacedIn(error);
  if (replaced !== undefined) {
    http.header("Retry-After", retryAfterSeconds);
    return errorAnswer(http, 503, replaced.shortMessage, { errorCode: "CHAIN_REPLACED" });
  }
  const chain = unreachableChain(error, context.chains.values());
  if (chain !== undefined) {
    http.header("Retry-After", retryAfterSeconds);
    const message = `The node of ${chain.definition.name} (chain ${chain.definition.id}) does not answer`;
    return errorAnswer(http, 503, message, { errorCode: "RPC_HTTP_ERROR" });
  }
  // Internal details go to the log only, under the `requestId` of the answer.
  const requestId = context.random32();
  context.log({
    cause: error,
    level: "error",
    message: `${http.req.method} ${http.req.path} failed`,
    requestId,
  });
  return errorAnswer(http, 500, "Something went wrong", { errorCode: "UNKNOWN_ERROR", requestId });
}
