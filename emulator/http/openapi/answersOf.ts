import { messageErrorSchema, quoteErrorSchema } from "../../../src/schema/wire/errorBody.ts";
import { bucketOf } from "../middleware/rateLimits.ts";
import type { Answer, RouteDocument } from "../route/Route.ts";

const databaseAway =
  "The database or a chain's node is unreachable, or the node now serves another chain: retry after `Retry-After` seconds";

/** Whether a route needs the admin key. */
export function isAdministration({ path }: Pick<RouteDocument, "path">): boolean {
  return path.startsWith("/admin/");
}

/** All answers of a route: its own and those shared by all routes of its kind. */
export function answersOf(route: RouteDocument): Readonly<Record<number, Answer>> {
  const shared = sharedAnswers(route);
  const statuses = [...new Set([...Object.keys(route.answers), ...Object.keys(shared)].map(Number))];
  return Object.fromEntries(
    statuses.map((status) => [status, merge(route.answers[status], shared[status])] as const),
  );
}

function sharedAnswers(route: RouteDocument): Readonly<Record<number, Answer>> {
  const isRead = route.query !== undefined || route.body !== undefined;
  return {
    ...(isRead && {
      400: refusal("The request is invalid; the message says where", "INVALID_REQUEST"),
    }),
    401: refusal(
      isAdministration(route) ? "Without the admin key" : "A key that is not in force",
      "UNAUTHORIZED",
    ),
    ...(route.body !== undefined && {
      413: refusal("The body is longer than half a megabyte", "BODY_TOO_LARGE"),
    }),
    ...(bucketOf(route.path) !== undefined && {
      429: { body: messageErrorSchema, description: "Over the rate limit, if limits are switched on" },
    }),
    500: refusal("Internal error; logged under the `requestId` of the answer", "UNKNOWN_ERROR"),
    503: refusal(
      isAdministration(route) ? databaseAway : `${databaseAway}; or a \`route-broken\` fault`,
      "SERVICE_UNAVAILABLE",
      "RPC_HTTP_ERROR",
    ),
  };
}

function refusal(description: string, ...errorCodes: NonNullable<Answer["errorCodes"]>): Answer {
  return { body: quoteErrorSchema, description, errorCodes };
}

/** Merges two answers of one status. The route's own body replaces the usual one, along with its error codes. */
function merge(own: Answer | undefined, shared: Answer | undefined): Answer {
  if (own === undefined || shared === undefined) return (own ?? shared) as Answer;
  const isUsual = own.body === shared.body;
  return {
    ...own,
    description: `${own.description}. ${shared.description}`,
    ...(isUsual &&
      own.errorCodes !== undefined && {
        errorCodes: [...new Set([...own.errorCodes, ...(shared.errorCodes ?? [])])],
      }),
  };
}
