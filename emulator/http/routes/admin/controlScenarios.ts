import * as z from "zod";
import { InvalidParameterError } from "../../../../src/errors/InvalidParameterError.ts";
import { requestStatuses } from "../../../../src/schema/request/requestStatus.ts";
import type {
  ScenarioInfo,
  ScenarioRefusal,
  ScenarioRequest,
  Scenarios,
} from "../../../scenarios/Scenario.ts";
import { controlRefused, defineRoute, NotFoundError, notFound, type Route } from "../../route/Route.ts";

const status = z.enum(requestStatuses);
const hash = z.templateLiteral(["0x", z.string()]);

const info = {
  cause: z.enum(["real", "injected"]),
  name: z.string(),
  sentence: z.string(),
};
const infoSchema = z.strictObject(info) satisfies z.ZodType<ScenarioInfo>;

const requestSchema = z.strictObject({
  ...info,
  depositTxHash: hash.nullable(),
  details: z.string().nullable(),
  events: z.array(z.strictObject({ at: z.int(), seq: z.int(), status, trigger: z.string() })),
  failReason: z.string().nullable(),
  kind: z.literal("request"),
  orderId: hash.nullable(),
  refundFailReason: z.string().nullable(),
  requestId: hash,
  status,
  txHashes: z.array(hash),
}) satisfies z.ZodType<ScenarioRequest>;

const refusalSchema = z.strictObject({
  ...info,
  body: z.record(z.string(), z.unknown()),
  errorCode: z.string(),
  httpStatus: z.int(),
  kind: z.literal("quote"),
  message: z.string(),
}) satisfies z.ZodType<ScenarioRefusal>;

/** `/admin` routes of the scenarios. */
export function controlScenarios(scenarios: Scenarios): readonly Route[] {
  const tag = "Control";
  return [
    defineRoute({
      method: "get",
      path: "/admin/scenarios",
      operationId: "listScenarios",
      tag,
      summary: "Named situations, one for each status, reason and code",
      answers: {
        200: {
          body: z.strictObject({ scenarios: z.array(infoSchema) }),
          description: "All scenarios, with a sentence each",
        },
      },
      handle: async ({ http }) => http.json({ scenarios: [...(await scenarios.list())] }),
    }),
    defineRoute({
      method: "post",
      path: "/admin/scenarios/:outcome/:reason/run",
      operationId: "runScenario",
      tag,
      summary: "Brings a situation about with an account of its own",
      description:
        "The request belongs to the first API key, or to that of `apiKeyId`, which gets its webhooks. Answers once the request has its outcome. Scenarios run one after the other. A closed connection aborts the run.",
      body: z.strictObject({ apiKeyId: z.string().max(1_000).optional() }),
      isBodyOptional: true,
      params: z.object({ outcome: z.string(), reason: z.string() }),
      notes: {
        outcome: "First part of the name, as `refund` in `refund/slippage`.",
        reason: "Second part of the name, as `slippage` in `refund/slippage`.",
      },
      answers: {
        200: {
          body: z.discriminatedUnion("kind", [requestSchema, refusalSchema]),
          description: "The request, or the refused quote",
        },
        404: notFound("There is no such scenario"),
        409: controlRefused,
      },
      handle: async ({ body: { apiKeyId }, http, params: { outcome, reason } }) => {
        const name = `${outcome}/${reason}`;
        try {
          return http.json(await scenarios.run(name, { apiKeyId, signal: http.req.raw.signal }));
        } catch (error) {
          throw error instanceof InvalidParameterError ? new NotFoundError(error.shortMessage) : error;
        }
      },
    }),
  ];
}
