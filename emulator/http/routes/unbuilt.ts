import { quoteErrorSchema } from "../../../src/schema/wire/errorBody.ts";
import { errorAnswer } from "../body/errorBody.ts";
import type { Route, RouteDocument } from "../route/Route.ts";

type Unbuilt = Pick<RouteDocument, "method" | "operationId" | "path" | "summary" | "tag"> & {
  readonly subject: string;
};

/** Endpoints that the emulator does not implement, with the subject of the error message. */
const UNBUILT: readonly Unbuilt[] = [
  {
    method: "get",
    operationId: "getDepositAddress",
    path: "/deposit-addresses/v1",
    subject: "Deposit addresses are",
    summary: "The deposit address of a request",
    tag: "Requests",
  },
  {
    method: "post",
    operationId: "reindexDepositAddress",
    path: "/transactions/deposit-address/reindex",
    subject: "Deposit addresses are",
    summary: "Looks for payments of a deposit address again",
    tag: "Execution",
  },
];

/** Answers 501 for endpoints of the service that are not implemented: a 404 would suggest a wrong URL. */
export function unbuiltRoutes(): readonly Route[] {
  return UNBUILT.map(({ subject, ...route }) => ({
    ...route,
    answers: {
      501: {
        body: quoteErrorSchema,
        description: "An endpoint of the service that the emulator lacks",
        errorCodes: ["NOT_IMPLEMENTED"],
      },
    },
    respond: async (http) =>
      errorAnswer(http, 501, `${subject} not part of this emulator`, { errorCode: "NOT_IMPLEMENTED" }),
  }));
}
