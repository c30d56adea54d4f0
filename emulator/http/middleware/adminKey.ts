import type { MiddlewareHandler } from "hono";
import { isSameSecret } from "../../keys/secretKey.ts";
import { errorAnswer } from "../body/errorBody.ts";

/**
 * What is below `/admin` is for whoever runs the emulator: every request carries the admin key, which the start-up document
 * names `adminKey`, in the header `x-admin-key`.
 */
export function adminKeyCheck(adminKey: string): MiddlewareHandler {
  return async (http, next) => {
    const presented = http.req.header("x-admin-key");
    if (presented === undefined || !isSameSecret(adminKey, presented)) {
      return errorAnswer(http, 401, "The header `x-admin-key` must carry the admin key", {
        errorCode: "UNAUTHORIZED",
      });
    }
    return next();
  };
}
