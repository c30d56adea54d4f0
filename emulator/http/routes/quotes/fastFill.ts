import { fastFillRequestSchema } from "../../../../src/schema/quote/fastFill.ts";
import { type Message, messageSchema } from "../../../../src/schema/request/transactions.ts";
import { messageErrorSchema } from "../../../../src/schema/wire/errorBody.ts";
import { FastFillRefusedError } from "../../../errors/FastFillRefusedError.ts";
import { acceptFastFill } from "../../../solver/advances/acceptFastFill.ts";
import { presentedKey, requireKey } from "../../middleware/keyChecks.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

const refusal = (description: string) => ({ body: messageErrorSchema, description });

/** `POST /fast-fill`: the solver fills a request before it has found the deposit. Errors have a message and no code. */
export function fastFillRoutes({ context, solver }: Deps): readonly Route[] {
  return [
    defineRoute({
      method: "post",
      path: "/fast-fill",
      operationId: "fastFill",
      tag: "Execution",
      summary: "Fills a request before its deposit is found",
      description:
        "The solver advances the fill within its limits for a request and an API key. The deposit pays the advance back: it is not filled a second time.",
      apiKey: "required",
      before: [requireKey(context.apiKeys)],
      body: fastFillRequestSchema,
      answers: {
        200: { body: messageSchema, description: "The fill is due" },
        400: refusal("A request on one chain, an expired quote, or a fill above a limit"),
        403: refusal("The request belongs to another API key"),
        404: refusal("There is no such request"),
        409: refusal("The request is paid, filled or fast-filled already"),
      },
      handle: async ({ body, http }) => {
        const apiKey = presentedKey(http, context.apiKeys);
        if (apiKey === undefined) throw new Error("the request passed without its key");
        try {
          await acceptFastFill(body, apiKey.id, context);
        } catch (error) {
          if (error instanceof FastFillRefusedError)
            return http.json({ message: error.message }, error.status);
          throw error;
        }
        solver.poke();
        return http.json({ message: "Request successfully queued for fast fill." } satisfies Message);
      },
    }),
  ];
}
