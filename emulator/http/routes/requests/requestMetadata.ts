import * as z from "zod";
import { messageSchema } from "../../../../src/schema/request/transactions.ts";
import { quoteErrorSchema } from "../../../../src/schema/wire/errorBody.ts";
import { bytes32Schema } from "../../../../src/schema/wire/hex.ts";
import { findRequest } from "../../../requests/applyTrigger.ts";
import { InvalidRequestError } from "../../body/readBody.ts";
import { assertFound, type Deps, defineRoute, notFound, type Route } from "../../route/Route.ts";

const bodySchema = z.looseObject({
  additionalMetadata: z.looseObject({
    // PostgreSQL cannot store NUL.
    moonPayId: z.string().regex(/^[\x21-\x7e]{1,256}$/, "not 1 to 256 printable characters"),
  }),
  requestId: bytes32Schema,
});

/**
 * `POST /requests/metadata`: adds a partner's own id to a request, which its records then carry. Anyone can post one, so the
 * first id is final.
 */
export function requestMetadataRoutes({ context: { store } }: Deps): readonly Route[] {
  return [
    defineRoute({
      endpoint: "POST /requests/metadata",
      operationId: "addRequestMetadata",
      tag: "Requests",
      summary: "Adds a partner's own id to a request",
      description: "The first id is final: another one for the same request is refused.",
      body: bodySchema,
      answers: {
        200: { body: messageSchema, description: "The record carries it" },
        400: {
          body: quoteErrorSchema,
          description: "The request has another id already, or the body is not as described",
          errorCodes: ["INVALID_REQUEST"],
        },
        404: notFound("There is no such request", "REQUEST_NOT_FOUND"),
      },
      handle: async ({ body: { additionalMetadata, requestId }, http }) => {
        const id = additionalMetadata.moonPayId;
        const found = assertFound(
          await findRequest(store, requestId),
          "Request not found",
          "REQUEST_NOT_FOUND",
        );
        await store
          .updateTable("requests")
          .set({ partner_id: id })
          .where("id", "=", found.id)
          .where("partner_id", "is", null)
          .execute();
        const kept = await findRequest(store, requestId);
        if (kept?.partner_id !== id) throw new InvalidRequestError("The request has another id already");
        return http.json({ message: "Success" });
      },
    }),
  ];
}
