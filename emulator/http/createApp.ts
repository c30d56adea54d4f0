import { Hono, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { CorsOrigins } from "../access/hostRule.ts";
import { svmParts } from "../chains/svm/svmParts.ts";
import type { Context } from "../context/Context.ts";
import { sunsetOf } from "../context/EmulatorConfig.ts";
import { QuoteError } from "../errors/refusals.ts";
import { answerFailure } from "./answerFailure.ts";
import { unknownHeader } from "./body/readBody.ts";
import { adminKeyCheck, apiKeyCheck } from "./middleware/keyChecks.ts";
import { rateLimiter, tooManyRequests } from "./middleware/rateLimits.ts";
import { announceRecordsDeprecation, announceRetirement } from "./middleware/retiring.ts";
import { type Deps, errorAnswer, mountRoutes, type Route } from "./route/Route.ts";
import { activityRoutes } from "./routes/admin/activity.ts";
import { adminRequestsRoutes } from "./routes/admin/adminRequests.ts";
import { adminWebhooksRoutes } from "./routes/admin/adminWebhooks.ts";
import { controlBehaviour } from "./routes/admin/controlBehaviour.ts";
import { controlChains, controlState } from "./routes/admin/controlChains.ts";
import { controlFaults } from "./routes/admin/controlFaults.ts";
import { controlKeys, controlSponsors } from "./routes/admin/controlKeys.ts";
import { controlScenarios } from "./routes/admin/controlScenarios.ts";
import { historyRoutes } from "./routes/admin/history.ts";
import { appFeesRoutes } from "./routes/catalogue/appFees.ts";
import { chainsRoutes } from "./routes/catalogue/chains.ts";
import { currenciesRoutes } from "./routes/catalogue/currencies.ts";
import { imagesRoutes } from "./routes/catalogue/images.ts";
import { liquidityRoutes } from "./routes/catalogue/liquidity.ts";
import { exchangeRoutes } from "./routes/exchange/exchange.ts";
import { explorerRoutes } from "./routes/explorer/explorer.ts";
import { pageFiles, pageRoutes } from "./routes/pages.ts";
import { authorizeRoutes } from "./routes/quotes/authorize.ts";
import { configRoutes } from "./routes/quotes/config.ts";
import { quoteRoutes } from "./routes/quotes/quote.ts";
import { executeErrors, executeRoutes, fastFillRoutes, permitsRoutes } from "./routes/quotes/submissions.ts";
import { depositAddressRoutes } from "./routes/requests/depositAddresses.ts";
import { requestMetadataRoutes } from "./routes/requests/requestMetadata.ts";
import { requestsRoutes } from "./routes/requests/requests.ts";
import { signatureRoutes } from "./routes/requests/signature.ts";
import { statusRoutes } from "./routes/requests/status.ts";
import { transactionsRoutes } from "./routes/requests/transactions.ts";
import { svmRpcRoutes } from "./routes/svm/svmRpc.ts";

/** Routes in the order of the OpenAPI document. */
const served: readonly ((deps: Deps) => readonly Route[])[] = [
  quoteRoutes,
  executeRoutes,
  permitsRoutes,
  fastFillRoutes,
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
  exchangeRoutes,
  ({ context: { store, svm } }) => svmRpcRoutes({ store, svm: svm && svmParts(svm) }),
  explorerRoutes,
  imagesRoutes,
  ({ control }) => controlBehaviour(control),
  ({ control }) => controlChains(control),
  ({ control }) => controlFaults(control),
  ({ control }) => controlKeys(control),
  ({ control }) => controlSponsors(control),
  ({ control }) => controlState(control),
  ({ scenarios }) => controlScenarios(scenarios),
  adminWebhooksRoutes,
  adminRequestsRoutes,
  historyRoutes,
  activityRoutes,
  depositAddressRoutes,
  pageRoutes,
];

export function allRoutes(deps: Deps): readonly Route[] {
  return served.flatMap((make) => make(deps));
}

/** Creates the service's HTTP API as a fetch handler. `listen` serves it. */
export function createApp(deps: Deps): Hono {
  const app = new Hono();
  // First, so that browser pages can read refusals too.
  if (deps.cors !== false) app.use(allowOrigins(deps.cors));
  for (const path of ["/requests", "/requests/v2"]) {
    app.use(
      path,
      announceRetirement(() => sunsetOf(deps.context.control.config.get())),
    );
  }
  for (const path of ["/requests/:requestId/signature", "/requests/:requestId/signature/v2"]) {
    app.use(path, announceRecordsDeprecation());
  }
  app.use("/execute", executeErrors());
  app.use(deps.calls.keep);
  app.use(logCalls(deps.context));
  app.use(routeFaults(deps.context));
  app.use(apiKeyCheck(deps.context.apiKeys));
  app.use(rateLimiter(deps));
  app.use("/admin/*", adminKeyCheck(deps.context.adminKey));
  mountRoutes(app, allRoutes(deps));
  app.route("/", pageFiles());
  app.notFound((http) => errorAnswer(http, 404, "There is nothing here", { errorCode: "NOT_FOUND" }));
  app.onError((error, http) => answerFailure(http, error, deps.context));
  return app;
}

/** Sets the CORS headers for the allowed origins. */
export function allowOrigins(origins: Exclude<CorsOrigins, false> | undefined): MiddlewareHandler {
  if (typeof origins === "object") return cors({ origin: [...origins] });
  const preflight = cors({ origin: "*" });
  return (http, next) => {
    if (http.req.method === "OPTIONS") return preflight(http, next);
    // Set before the response exists: changing headers later would rebuild it with a streamed body.
    http.header("Access-Control-Allow-Origin", "*");
    return next();
  };
}

/** Logs each refused call with its code and reason, and the names that an answer ignored. */
function logCalls({ log }: Pick<Context, "log">): MiddlewareHandler {
  return async (http, next) => {
    await next();
    const { method, path } = http.req;
    const unknown = http.res.headers.get(unknownHeader);
    if (unknown !== null) log({ level: "info", message: `${method} ${path}: ${unknown}` });
    const { status } = http.res;
    if (status < 400 || (status === 500 && http.error !== undefined && !(http.error instanceof QuoteError)))
      return;
    if (!http.res.headers.get("content-type")?.startsWith("application/json")) return;
    // Endpoints name code and sentence differently.
    const body = (await http.res.clone().json()) as Readonly<Record<string, string | undefined>>;
    const { code, error, errorCode = code, message = error, requestId } = body;
    const facts = [method, path, status, errorCode].filter((fact) => fact !== undefined).join(" ");
    log({ level: "info", message: `${facts}: ${message}`, requestId });
  };
}

/** Applies route faults: delays a request or answers it with an error. */
function routeFaults({ control, random32 }: Pick<Context, "control" | "random32">): MiddlewareHandler {
  return async (http, next) => {
    const fault = await control.faults.forRoute(http.req.method, http.req.path);
    if (fault === undefined) return next();
    if (fault.delayMs > 0) await pause(fault.delayMs);
    if (fault.status === undefined) return next();
    if (fault.status === 429) return tooManyRequests(http);
    return errorAnswer(http, fault.status as ContentfulStatusCode, "Something went wrong", {
      errorCode: fault.status === 503 ? "SERVICE_UNAVAILABLE" : "UNKNOWN_ERROR",
      requestId: random32(),
    });
  };
}

async function pause(milliseconds: number): Promise<void> {
  // A delayed request must not keep the process alive.
  await new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref());
}
