import { Hono } from "hono";
import { signRecord } from "../../../src/records/signRecord.ts";
import type { SignatureRecordResponse } from "../../../src/schema/signatureRecord.ts";
import { findRequest } from "../../store/findRequest.ts";
import { parseIntent } from "../../store/Intent.ts";
import type { Deps } from "../Deps.ts";

/** `GET /requests/{requestId}/signature` (specification, "GET /requests/{requestId}/signature"). */
export function signatureRoute({ context }: Deps): Hono {
  return new Hono().get("/requests/:requestId/signature", async (http) => {
    const request = await findRequest(context.store, http.req.param("requestId"));
    // This endpoint names its code `code`, not `errorCode`.
    if (request === undefined)
      return http.json({ code: "REQUEST_NOT_FOUND", message: "Request not found" }, 400);
    const { destination, origin, recipient, requestId, user } = parseIntent(request.intent);
    const record = {
      destinationChainId: destination.chainId,
      destinationUser: recipient,
      originAmount: origin.amount,
      originChainId: origin.chainId,
      originCurrency: origin.currency,
      originUser: user,
      requestId,
    };
    const signature = await signRecord({ account: context.accounts.solver.account, record });
    const { requestId: _, originAmount, ...rest } = record;
    const answer: SignatureRecordResponse = {
      requestData: { ...rest, originAmount: originAmount.toString() },
      signature,
    };
    return http.json(answer);
  });
}
