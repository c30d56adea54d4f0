import type { MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Context } from "../../context/Context.ts";
import { errorAnswer } from "../body/errorBody.ts";
import { tooManyRequests } from "./tooManyRequests.ts";

/** Applies route faults: delays a request or answers it with an error. */
export function routeFaults({ control, random32 }: Pick<Context, "control" | "random32">): MiddlewareHandler {
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
