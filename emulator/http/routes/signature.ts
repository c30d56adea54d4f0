import { Hono, type Context as HonoContext } from "hono";
import { signRecord } from "../../../src/records/signRecord.ts";
import type { SignatureRecordResponse } from "../../../src/schema/signatureRecord.ts";
import type { SignatureRecordV2Response } from "../../../src/schema/signatureRecordV2.ts";
import { signRecordV2 } from "../../records/signRecordV2.ts";
import { findRequest } from "../../store/findRequest.ts";
import { type Intent, parseIntent } from "../../store/Intent.ts";
import type { Deps } from "../Deps.ts";

/** `GET /requests/{requestId}/signature` and its second version (specification, "GET /requests/{requestId}/signature"). */
export function signatureRoute({ context }: Deps): Hono {
  const { account } = context.accounts.solver;
  const answer = (body: (intent: Intent) => Promise<object>) => async (http: HonoContext) => {
    const request = await findRequest(context.store, http.req.param("requestId") ?? "");
    // These endpoints name their code `code`, not `errorCode`.
    if (request === undefined)
      return http.json({ code: "REQUEST_NOT_FOUND", message: "Request not found" }, 400);
    return http.json(await body(parseIntent(request.intent)));
  };
  return new Hono()
    .get(
      "/requests/:requestId/signature",
      answer(async ({ destination, origin, recipient, requestId, user }) => {
        const signed = {
          destinationChainId: destination.chainId,
          destinationUser: recipient,
          originAmount: origin.amount,
          originChainId: origin.chainId,
          originCurrency: origin.currency,
          originUser: user,
        };
        const signature = await signRecord({ account, record: { ...signed, requestId } });
        const requestData = { ...signed, originAmount: origin.amount.toString() };
        return { requestData, signature } satisfies SignatureRecordResponse;
      }),
    )
    .get(
      "/requests/:requestId/signature/v2",
      answer(async ({ destination, origin, recipient, requestId, user }) => {
        const requestData = {
          destinationChainId: destination.chainId,
          destinationCurrency: destination.currency,
          destinationUser: recipient,
          originChainId: origin.chainId,
          originCurrency: origin.currency,
          originUser: user,
        };
        const signature = await signRecordV2(account, requestId, requestData);
        return { requestData, signature } satisfies SignatureRecordV2Response;
      }),
    );
}
