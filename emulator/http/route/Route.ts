import type { Handler, Hono, Context as HonoContext, MiddlewareHandler } from "hono";
import * as z from "zod";
import type { ServiceErrorCode } from "../../../src/errors/serviceErrorCodes.ts";
import type { LocalErrorCode } from "../body/errorBody.ts";
import { readJson, readQuery, readWith } from "../body/readJson.ts";

type Schema = z.core.$ZodType;
type ObjectSchema = z.core.$ZodObject;

/** What comes with one status. */
export type Answer = {
  /** A sentence for people. */
  readonly description: string;
  /** Shape of the JSON body. Without one and without `mediaType` there is no body. */
  readonly body?: Schema | undefined;
  /** For answers that are no JSON. */
  readonly mediaType?: "image/svg+xml" | "text/html" | undefined;
  /** The only values that `errorCode` has with this status. */
  readonly errorCodes?: readonly (ServiceErrorCode | LocalErrorCode)[] | undefined;
};

/** Which part of the reference a route belongs to. */
export type Tag =
  | "Quotes"
  | "Execution"
  | "Requests"
  | "Chains and currencies"
  | "Documents"
  | Administration;
/** What the admin key is for. */
export type Administration = "Control" | "Webhooks" | "History";

/** Everything about a route that readers of the document see. */
export type RouteDocument = {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** With parameters as in `/requests/:requestId/signature`. */
  readonly path: `/${string}`;
  /** Unique, and what generators name functions after. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string | undefined;
  readonly deprecated?: boolean | undefined;
  /** `optional` unless told otherwise; what is below `/admin` takes the admin key. */
  readonly apiKey?: "required" | undefined;
  readonly params?: ObjectSchema | undefined;
  readonly query?: ObjectSchema | undefined;
  readonly body?: Schema | undefined;
  /** Whether no body at all is as good as an empty object. */
  readonly isBodyOptional?: true | undefined;
  /** What there is to say about parameters, by name. */
  readonly notes?: Readonly<Record<string, string>> | undefined;
  /** Headers of every answer, with what they say. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Those that only this route gives; `answersOf` adds what every route has. */
  readonly answers: Readonly<Record<number, Answer>>;
};

/** A route and its document in one: nothing can be served that is not described, nor described that is not served. */
export type Route = RouteDocument & {
  /** Run before anything of the request is read. */
  readonly before?: readonly MiddlewareHandler[] | undefined;
  readonly respond: Handler;
};

/** What a request said, read by the route's own schemas. */
export type RouteInput<Params extends Schema, Query extends Schema, Body extends Schema> = {
  readonly http: HonoContext;
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
};

/**
 * Defines a route. The schemas that the document shows are the ones that requests are read with: path, query and body, in
 * this order, before `handle` is called.
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
 * The same schema, compiled: it reads objects by code made for their fields, which takes half as long where there are many.
 * The schemas of the library are not compiled, because pages in a browser may forbid to make code.
 */
export function compileSchema<Schema extends z.core.$ZodType>(schema: Schema): Schema {
  const isCompiled = schema instanceof z.core.$ZodObjectJIT;
  if (isCompiled || !(schema instanceof z.core.$ZodObject)) return schema;
  return new z.core.$ZodObjectJIT(schema._zod.def) as unknown as Schema;
}

/** Has an app answer by routes. */
export function mountRoutes(app: Hono, routes: Iterable<Route>): Hono {
  for (const { before = [], method, path, respond } of routes) {
    app.on(method.toUpperCase(), [path], ...before, respond);
  }
  return app;
}
