import { bucketOf } from "../../emulator/http/middleware/rateLimits.ts";
import { type Answer, type RouteDocument, splitEndpoint, type Tag } from "../../emulator/http/route/Route.ts";
import { webhookEventSchema } from "../../src/schema/request/statusUpdate.ts";
import { messageErrorSchema, quoteErrorSchema } from "../../src/schema/wire/errorBody.ts";
import { commonSchemas, type NamedSchemas, nameSchemas, toJsonSchema } from "./nameSchemas.ts";
import type {
  DocumentedAnswer,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
} from "./OpenApiDocument.ts";

const tags: Readonly<Record<Tag, string>> = {
  Quotes: "Cost of an intent and the steps that carry it out.",
  Execution: "Submission of signatures and transactions.",
  Requests: "Status, listings and signed records of intents.",
  "Chains and currencies": "Supported chains, currencies and routes.",
  "Perps exchange": "The API of the perps exchange itself, in place of its host.",
  Documents: "Pages for people, and this document.",
  Control: "Faults, clock, prices, balances, chains, keys and states of the emulator. Needs the admin key.",
  Webhooks: "The endpoint of an API key, its deliveries, and the stream's sockets. Needs the admin key.",
  History: "History of each request. Needs the admin key.",
};

export function describeApi(routes: readonly RouteDocument[], version: string): OpenApiDocument {
  const schemas = nameSchemas();
  for (const [name, schema] of Object.entries(commonSchemas)) schemas.add(name, schema);
  for (const route of routes) nameBodies(route, schemas);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const { method, path } = splitEndpoint(route.endpoint);
    const template = path.replaceAll(/:(\w+)/g, "{$1}");
    paths[template] = { ...paths[template], [method.toLowerCase()]: describeRoute(route, schemas) };
  }
  return {
    openapi: "3.1.1",
    info: {
      description:
        "The cross-chain intent service, offline. Amounts are decimal strings in smallest units. Answers may have undocumented fields. Statuses are streamed on the websocket `/ws`.",
      title: "Waybill emulator",
      version,
    },
    servers: [{ description: "The emulator that serves this document", url: "/" }],
    tags: Object.entries(tags).map(([name, description]) => ({ description, name })),
    paths,
    webhooks: { requestStatusUpdated: { post: webhookOperation(schemas) } },
    components: {
      schemas: schemas.toComponents(),
      securitySchemes: {
        adminKey: header("x-admin-key", "`adminKey` of the start-up document."),
        apiKey: header("x-api-key", "One of `apiKeys` of the start-up document, or a key created later."),
      },
    },
  };
}

/** Names bodies of a single route after its operation. */
function nameBodies(route: RouteDocument, schemas: NamedSchemas): void {
  const name = `${route.operationId.charAt(0).toUpperCase()}${route.operationId.slice(1)}`;
  if (route.body !== undefined) schemas.add(`${name}Body`, route.body);
  for (const [status, { body }] of Object.entries(route.answers)) {
    if (body !== undefined) schemas.add(`${name}Answer${status.startsWith("2") ? "" : status}`, body);
  }
}

function describeRoute(route: RouteDocument, schemas: NamedSchemas): Operation {
  const { body, deprecated, description, isBodyOptional, operationId, summary, tag } = route;
  const parameters = parametersOf(route);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(deprecated === true && { deprecated }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { content: json(schemas.ref(body)), required: isBodyOptional !== true },
    }),
    responses: Object.fromEntries(
      Object.entries(answersOf(route)).map(([status, answer]) => [
        status,
        describeAnswer({ ...answer, headers: route.headers }, schemas),
      ]),
    ),
  };
}

function describeAnswer(
  answer: Answer & Pick<RouteDocument, "headers">,
  schemas: NamedSchemas,
): DocumentedAnswer {
  const { body, description, errorCodes, headers, mediaType } = answer;
  return {
    description,
    ...(headers !== undefined && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [
          name,
          { description: text, schema: { type: "string" } },
        ]),
      ),
    }),
    ...(mediaType !== undefined && { content: { [mediaType]: { schema: { type: "string" } } } }),
    ...(body !== undefined && { content: json(withCodes(schemas.ref(body), errorCodes)) }),
  };
}

function withCodes(schema: JsonSchema, errorCodes: Answer["errorCodes"]): JsonSchema {
  if (errorCodes === undefined) return schema;
  return {
    allOf: [
      schema,
      { properties: { errorCode: { enum: [...errorCodes] } }, required: ["errorCode"], type: "object" },
    ],
  };
}

function securityOf(route: RouteDocument): NonNullable<Operation["security"]> {
  if (isAdministration(route)) return [{ adminKey: [] }];
  return route.apiKey === "required" ? [{ apiKey: [] }] : [{}, { apiKey: [] }];
}

function webhookOperation(schemas: NamedSchemas): Operation {
  return {
    operationId: "receiveStatusUpdate",
    tags: ["Webhooks"],
    summary: "A request has reached a status",
    description:
      "Sent to the endpoint of the API key that the request was made with. `X-Signature-SHA256` is the hexadecimal HMAC-SHA256 of `X-Signature-Timestamp`, a full stop and the body, keyed with the API key.",
    requestBody: { content: json(schemas.ref(webhookEventSchema)), required: true },
    responses: {
      "2XX": { description: "Accepted. Any other status is retried, up to ten times." },
    },
  };
}

function json(schema: JsonSchema) {
  return { "application/json": { schema } };
}

function header(name: string, description: string) {
  return { description, in: "header", name, type: "apiKey" } as const;
}

/** Describes the path and query parameters of a route, in the order of its schemas. */
function parametersOf({ notes = {}, params, query }: RouteDocument): Parameter[] {
  return [
    ...(params === undefined ? [] : read(params, "path", notes)),
    ...(query === undefined ? [] : read(query, "query", notes)),
  ];
}

/**
 * Parameters are text on the wire. The output schema gives the type that the text stands for, the input schema which ones are
 * required: a parameter with a default is optional.
 */
function read(
  schema: NonNullable<RouteDocument["query"]>,
  place: Parameter["in"],
  notes: Readonly<Record<string, string>>,
): Parameter[] {
  const { required = [] } = toJsonSchema(schema, "input");
  const { properties = {} } = toJsonSchema(schema, "output");
  return Object.entries(properties).map(([name, property]) => ({
    in: place,
    name,
    required: required.includes(name),
    ...(notes[name] !== undefined && { description: notes[name] }),
    ...writtenAs(property as JsonSchema),
  }));
}

/** Encoding of a parameter: lists of values with commas, lists of objects as JSON. */
function writtenAs(schema: JsonSchema): Pick<Parameter, "content" | "explode" | "schema" | "style"> {
  if (schema.type !== "array") return { schema };
  const items = schema.items as JsonSchema;
  if (items.type === "object") return { content: { "application/json": { schema } } };
  return { explode: false, schema, style: "form" };
}

const databaseAway =
  "The database or a chain's node is unreachable, or the node now serves another chain: retry after `Retry-After` seconds";

/** Whether a route needs the admin key. */
function isAdministration({ endpoint }: Pick<RouteDocument, "endpoint">): boolean {
  return endpoint.includes(" /admin/");
}

/** All answers of a route: its own and those shared by all routes of its kind. */
function answersOf(route: RouteDocument): Readonly<Record<number, Answer>> {
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
    ...(bucketOf(splitEndpoint(route.endpoint).path) !== undefined && {
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
