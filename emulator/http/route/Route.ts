import type { Handler, Hono, Context as HonoContext, MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as z from "zod";
import { type ServiceErrorCode, serviceErrorCodes } from "../../../src/errors/serviceErrorCodes.ts";
import { type ErrorBody, quoteErrorSchema } from "../../../src/schema/wire/errorBody.ts";
import type { CorsOrigins } from "../../access/hostRule.ts";
import type { ActivityFeed } from "../../activity/followActivity.ts";
import type { Context } from "../../context/Context.ts";
import type { Control } from "../../control/Control.ts";
import type { FailedCallData } from "../../errors/refusals.ts";
import type { Scenarios } from "../../scenarios/Scenario.ts";
import type { Solver } from "../../solver/startSolver.ts";
import type { Webhooks } from "../../webhooks/Webhook.ts";
import type { StreamControl } from "../../websocket/StreamControl.ts";
import { readJson, readQuery, readWith } from "../body/readBody.ts";
import type { RecentCalls } from "../body/recentCalls.ts";

type Schema = z.core.$ZodType;
type ObjectSchema = z.core.$ZodObject;

/** Documentation of one status. */
export type Answer = {
  /** Shown to readers of the document. */
  readonly description: string;
  /** Schema of the JSON body. Without it and without `mediaType`, the answer has no body. */
  readonly body?: Schema | undefined;
  /** Media type of an answer other than JSON. */
  readonly mediaType?:
    | "application/x-ndjson"
    | "image/svg+xml"
    | "text/css"
    | "text/html"
    | "text/javascript"
    | undefined;
  /** All values of `errorCode` with this status. */
  readonly errorCodes?: readonly (ServiceErrorCode | LocalErrorCode)[] | undefined;
};

/** Section of the reference. */
export type Tag =
  | "Quotes"
  | "Execution"
  | "Requests"
  | "Chains and currencies"
  | "Perps exchange"
  | "Documents"
  | Administration;
type Administration = "Control" | "Webhooks" | "History";

export type RouteDocument = {
  /** Method and path with parameters, as in `GET /requests/:requestId/signature`. */
  readonly endpoint: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;
  /** Unique; code generators name functions after it. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string | undefined;
  readonly deprecated?: boolean | undefined;
  /** Whether an API key is required. Paths below `/admin` need the admin key instead. @default optional */
  readonly apiKey?: "required" | undefined;
  readonly params?: ObjectSchema | undefined;
  readonly query?: ObjectSchema | undefined;
  readonly body?: Schema | undefined;
  /** Whether a missing body counts as an empty object. */
  readonly isBodyOptional?: true | undefined;
  /** Descriptions of parameters, by name. */
  readonly notes?: Readonly<Record<string, string>> | undefined;
  /** Headers of every answer, with descriptions. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Answers of this route only; `answersOf` adds the shared ones. */
  readonly answers: Readonly<Record<number, Answer>>;
};

/** A route with its documentation, so that every served route is documented and vice versa. */
export type Route = RouteDocument & {
  /** Middleware that runs before the request is parsed. */
  readonly before?: readonly MiddlewareHandler[] | undefined;
  readonly respond: Handler;
};

type RouteInput<Params extends Schema, Query extends Schema, Body extends Schema> = {
  readonly http: HonoContext;
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
};

/**
 * Defines a route. Its documented schemas also parse requests: path, query and body, in this order, before `handle` runs.
 */
export function defineRoute<Params extends ObjectSchema, Query extends ObjectSchema, Body extends Schema>({
  handle,
  ...route
}: Omit<Route, "respond"> & {
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly handle: (input: RouteInput<Params, Query, Body>) => Response | Promise<Response>;
}): Route {
  const { isBodyOptional, params, query } = route;
  const body = route.body && compileSchema(route.body);
  return {
    ...route,
    respond: async (http) =>
      handle({
        params: (params && readWith(http.req.param(), params, "path")) as z.output<Params>,
        query: (query && readQuery(http, query)) as z.output<Query>,
        body: (body && (await readJson(http, body, { isOptional: isBodyOptional }))) as z.output<Body>,
        http,
      }),
  };
}

/**
 * Compiles an object schema: generated code parses objects of many fields in half the time. The library's schemas are not
 * compiled, because a browser page's Content-Security-Policy may forbid generated code.
 */
export function compileSchema<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  const isCompiled = schema instanceof z.core.$ZodObjectJIT;
  if (isCompiled || !(schema instanceof z.core.$ZodObject)) return schema;
  return new z.core.$ZodObjectJIT(schema._zod.def) as unknown as Schema;
}

export function splitEndpoint(endpoint: Route["endpoint"]): {
  readonly method: string;
  readonly path: string;
} {
  const [method = "", path = ""] = endpoint.split(" ");
  return { method, path };
}

/** Registers routes on an app. */
export function mountRoutes(app: Hono, routes: Iterable<Route>): Hono {
  for (const { before = [], endpoint, respond } of routes) {
    const { method, path } = splitEndpoint(endpoint);
    app.on(method, [path], ...before, respond);
  }
  return app;
}

/** Dependencies of the routes. */
export type Deps = {
  readonly activity: ActivityFeed;
  readonly calls: RecentCalls;
  readonly context: Context;
  readonly control: Control;
  readonly scenarios: Scenarios;
  readonly solver: Pick<Solver, "wake">;
  /** Browser origins that may read answers. @default true */
  readonly cors?: CorsOrigins | undefined;
  readonly webhooks: Webhooks;
  readonly restartSockets: StreamControl["restart"];
  /** Aborted when the emulator stops: streams end then. */
  readonly stopping: AbortSignal;
};

/** Error codes beyond the documented ones, for example for an unreadable body. See `docs/reference/assumptions.md`. */
type LocalErrorCode =
  | "INVALID_REQUEST"
  | "BODY_TOO_LARGE"
  | "CONTROL_REFUSED"
  | "NOT_FOUND"
  | "REQUEST_NOT_FOUND";

type MissingCode = "NOT_FOUND" | "REQUEST_NOT_FOUND";

/** What a path or body names does not exist; `answerFailure` answers with 404. */
export class NotFoundError extends Error {
  override readonly name = "NotFoundError";
  readonly errorCode: MissingCode;

  constructor(message: string, errorCode: MissingCode = "NOT_FOUND") {
    super(message);
    this.errorCode = errorCode;
  }
}

/** Returns the value. @throws NotFoundError without one. */
export function assertFound<Value>(value: Value | undefined, ...error: [string, MissingCode?]): Value {
  if (value === undefined) throw new NotFoundError(...error);
  return value;
}

/** Fields of an error body, in addition to its message. */
type ErrorContext = {
  errorCode: NonNullable<ErrorBody["errorCode"]> | LocalErrorCode;
  errorData?: unknown;
  failedCallData?: FailedCallData | undefined;
  approxSimulatedBlock?: number | undefined;
  requestId?: string | undefined;
};

/** Answers with an error in the shape of the quote endpoints. */
export function errorAnswer(
  http: HonoContext,
  status: ContentfulStatusCode,
  message: string,
  { approxSimulatedBlock, errorCode, errorData, failedCallData, requestId }: ErrorContext,
): Response {
  return http.json(
    {
      errorCode,
      message,
      ...(errorData !== undefined && { errorData }),
      ...(failedCallData !== undefined && { failedCallData }),
      ...(approxSimulatedBlock !== undefined && { approxSimulatedBlock }),
      ...(requestId !== undefined && { requestId }),
    },
    status,
  );
}

type RefusalStatus = 400 | 401 | 403 | 500 | 503;

const statuses: Readonly<Partial<Record<ServiceErrorCode, RefusalStatus>>> = {
  ERC20_ROUTER_ADDRESS_NOT_FOUND: 500,
  FORBIDDEN: 403,
  PERMIT_FAILED: 500,
  PRICE_FETCH_FAILED: 503,
  REQUEST_TIMED_OUT: 503,
  RPC_HTTP_ERROR: 503,
  SERVICE_UNAVAILABLE: 503,
  SWAP_QUOTE_FAILED: 500,
  UNAUTHORIZED: 401,
  UNKNOWN_ERROR: 500,
};

/** HTTP status of a code. */
export function refusalStatus(errorCode: ServiceErrorCode): RefusalStatus {
  return statuses[errorCode] ?? 400;
}

function codesWith(status: RefusalStatus): readonly ServiceErrorCode[] {
  const codes = Object.keys(serviceErrorCodes) as ServiceErrorCode[];
  return codes.filter((code) => refusalStatus(code) === status);
}

const refused = (status: RefusalStatus, description: string): Answer => ({
  body: quoteErrorSchema,
  description,
  errorCodes: codesWith(status),
});

/** Error answers of quotes and prices: all of the service's codes, by status. */
export const quoteRefusals: Readonly<Record<RefusalStatus, Answer>> = {
  400: refused(400, "No quote, for a reason that the caller can change"),
  401: refused(401, "Unknown API key, or none for a sponsored quote or a fixed rate"),
  403: refused(403, "The API key has no sponsor's balance for a sponsored quote"),
  500: refused(500, "A dependency of the quote failed"),
  503: refused(503, "A dependency of the quote is temporarily unavailable"),
};

export const unsupported = (...errorCodes: readonly ServiceErrorCode[]): Answer => ({
  body: quoteErrorSchema,
  description: "The chain or currency does not exist",
  errorCodes,
});

/** Error answer for a valid request that cannot be carried out. */
export const controlRefused: Answer = {
  body: quoteErrorSchema,
  description: "The change is impossible; the message says why",
  errorCodes: ["CONTROL_REFUSED"],
};

/** Error answer for an unknown id. */
export const notFound = (description: string, errorCode: MissingCode = "NOT_FOUND"): Answer => ({
  body: quoteErrorSchema,
  description,
  errorCodes: [errorCode],
});
