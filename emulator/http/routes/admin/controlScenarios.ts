import * as z from "zod";
import { InvalidParameterError } from "../../../../src/errors/InvalidParameterError.ts";
import {
  type Scenarios,
  scenarioInfoSchema,
  scenarioRefusalSchema,
  scenarioRequestSchema,
} from "../../../scenarios/Scenario.ts";
import { controlRefused, defineRoute, NotFoundError, notFound, type Route } from "../../route/Route.ts";

/** `/admin` routes of the scenarios. */
export function controlScenarios(scenarios: Scenarios): readonly Route[] {
  const tag = "Control";
  return [
    defineRoute({
      endpoint: "GET /admin/scenarios",
      operationId: "listScenarios",
      tag,
      summary: "Named situations, one for each status, reason and code",
      answers: {
        200: {
          body: z.strictObject({ scenarios: z.array(scenarioInfoSchema) }),
          description: "All scenarios, with a sentence each",
        },
      },
      handle: async ({ http }) => http.json({ scenarios: [...(await scenarios.list())] }),
    }),
    defineRoute({
      endpoint: "POST /admin/scenarios/:outcome/:reason/run",
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
          body: z.discriminatedUnion("kind", [scenarioRequestSchema, scenarioRefusalSchema]),
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
