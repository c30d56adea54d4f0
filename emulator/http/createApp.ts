import { Hono } from "hono";
import { cors } from "hono/cors";
import { QuoteError } from "../quote/QuoteError.ts";
import { apiKeyCheck } from "./apiKey.ts";
import type { Deps } from "./Deps.ts";
import { errorAnswer } from "./errorBody.ts";
import { BodyTooLargeError } from "./readBody.ts";
import { InvalidRequestError } from "./readJson.ts";
import { adminRoute } from "./routes/admin.ts";
import { chainsRoute } from "./routes/chains.ts";
import { consoleRoute } from "./routes/console.ts";
import { quoteRoute } from "./routes/quote.ts";
import { signatureRoute } from "./routes/signature.ts";
import { statusRoute } from "./routes/status.ts";
import { transactionsRoute } from "./routes/transactions.ts";

const routes: readonly ((deps: Deps) => Hono)[] = [
  adminRoute,
  chainsRoute,
  consoleRoute,
  quoteRoute,
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
  app.use(cors());
  app.use(apiKeyCheck(deps.context.apiKeys));
  for (const route of routes) app.route("/", route(deps));
  app.notFound((http) => errorAnswer(http, 404, "There is nothing here", { errorCode: "NOT_FOUND" }));
  app.onError((error, http) => {
    if (error instanceof InvalidRequestError) {
      return errorAnswer(http, 400, error.message, { errorCode: "INVALID_REQUEST" });
    }
    if (error instanceof BodyTooLargeError) {
      return errorAnswer(http, 413, error.message, { errorCode: "BODY_TOO_LARGE" });
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
