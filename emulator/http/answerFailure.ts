import type { Context as HonoContext } from "hono";
import { serviceErrorCodes } from "../../src/errors/serviceErrorCodes.ts";
import type { RunningChain } from "../chains/Chain.ts";
import type { Context } from "../context/Context.ts";
import {
  ControlRefusedError,
  ExecuteRefusedError,
  FastFillRefusedError,
  PermitRefusedError,
  QuoteError,
  WebhookRefusedError,
} from "../errors/refusals.ts";
import { isAboutOutage } from "../store/dialect/connectionLoss.ts";
import { BodyAbortedError, BodyTooLargeError, InvalidRequestError } from "./body/readBody.ts";
import { errorAnswer, NotFoundError, refusalStatus } from "./route/Route.ts";

/** `Retry-After` while the database or a chain is unreachable. */
const retryAfterSeconds = "1";

/** Answers with the status and code of an error thrown by a route. An unknown error is logged and answered with 500. */
export function answerFailure(http: HonoContext, error: Error, context: Context): Response {
  if (error instanceof InvalidRequestError || error instanceof BodyAbortedError) {
    return errorAnswer(http, 400, error.message, { errorCode: "INVALID_REQUEST" });
  }
  if (error instanceof BodyTooLargeError) {
    return errorAnswer(http, 413, error.message, { errorCode: "BODY_TOO_LARGE" });
  }
  if (error instanceof ControlRefusedError) {
    return errorAnswer(http, 409, error.shortMessage, { errorCode: "CONTROL_REFUSED" });
  }
  if (error instanceof WebhookRefusedError) {
    return errorAnswer(http, 400, error.shortMessage, { errorCode: "INVALID_REQUEST" });
  }
  if (error instanceof NotFoundError) {
    return errorAnswer(http, 404, error.message, { errorCode: error.errorCode });
  }
  // The endpoints of these three answer without a code (service facts, "Endpoints").
  if (error instanceof ExecuteRefusedError) return http.json(error.body, 400);
  if (error instanceof PermitRefusedError) return http.json({ message: error.message }, 400);
  if (error instanceof FastFillRefusedError) return http.json({ message: error.message }, error.status);
  if (error instanceof QuoteError) return refuse(http, error, context);
  if (isAboutOutage(error)) {
    http.header("Retry-After", retryAfterSeconds);
    return errorAnswer(http, 503, "The database is unreachable", { errorCode: "SERVICE_UNAVAILABLE" });
  }
  const chain = unreachableChain(error, context);
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

/** Answers with a quote error. The log has an unexpected one under the `requestId` of the answer. */
function refuse(http: HonoContext, error: QuoteError, { random32 }: Context): Response {
  const { approxSimulatedBlock, errorCode, errorData, failedCallData, message } = error;
  const { expected, retryable } = serviceErrorCodes[errorCode];
  const requestId = expected ? undefined : random32();
  if (retryable) http.header("Retry-After", retryAfterSeconds);
  const context = { approxSimulatedBlock, errorCode, errorData, failedCallData, requestId };
  return errorAnswer(http, refusalStatus(errorCode), message, context);
}

/** Errors of viem for a missing or malformed answer of a node. Each carries the node's URL. */
const transportErrors = new Set(["HttpRequestError", "TimeoutError"]);

/** Finds the chain whose node did not answer, by an error or its causes; `undefined` without one. */
function unreachableChain(error: unknown, { chains }: Context): RunningChain | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (!transportErrors.has(current.name) || !("url" in current)) continue;
    // The client appends a slash to URLs.
    const { href } = new URL(String(current.url));
    return [...chains.values()].find(({ rpcUrl }) => new URL(rpcUrl).href === href);
  }
  return undefined;
}
