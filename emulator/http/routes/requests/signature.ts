import type { Context as HonoContext } from "hono";
import { encodeAbiParameters, type Hex, keccak256, type LocalAccount, parseAbiParameters } from "viem";
import * as z from "zod";
import { signRecord } from "../../../../src/records/encodeRecord.ts";
import { recordWord } from "../../../../src/records/SignatureRecord.ts";
import {
  type SignatureRecordResponse,
  type SignatureRecordV2Response,
  signatureRecordSchema,
  signatureRecordV2Schema,
} from "../../../../src/schema/record/signatureRecord.ts";
import { codeErrorSchema } from "../../../../src/schema/wire/errorBody.ts";
import { findRequest } from "../../../requests/applyTrigger.ts";
import { type Intent, parseIntent } from "../../../requests/Intent.ts";
import { deprecationHeaders } from "../../middleware/retiring.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

const params = z.object({ requestId: z.string() });
/** These endpoints call the error code `code`, not `errorCode`. */
const notFound = { body: codeErrorSchema, description: "There is no such request: `REQUEST_NOT_FOUND`" };

/** `GET /requests/{requestId}/signature` and its second version (specification, "GET /requests/{requestId}/signature"). */
export function signatureRoutes({ context }: Deps): readonly Route[] {
  const { account } = context.accounts.solver;
  const answer = async (http: HonoContext, requestId: string, body: (intent: Intent) => Promise<object>) => {
    const request = await findRequest(context.store, requestId);
    if (request === undefined)
      return http.json({ code: "REQUEST_NOT_FOUND", message: "Request not found" }, 400);
    return http.json(await body(parseIntent(request.intent)));
  };
  const common = {
    deprecated: true,
    headers: deprecationHeaders,
    params,
    tag: "Requests",
  } as const;
  return [
    defineRoute({
      ...common,
      endpoint: "GET /requests/:requestId/signature",
      operationId: "getSignatureRecord",
      summary: "The solver's signed record of a request",
      description:
        "Available as soon as the request is quoted. The service deprecates signed records in favour of the quote's signed order (`includeProtocolData`), without a date of retirement.",
      answers: { 200: { body: signatureRecordSchema, description: "The record" }, 400: notFound },
      handle: ({ http, params: { requestId: id } }) =>
        answer(http, id, async ({ destination, origin, recipient, requestId, user }) => {
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
    }),
    defineRoute({
      ...common,
      endpoint: "GET /requests/:requestId/signature/v2",
      operationId: "getSignatureRecordV2",
      summary: "The same of version 2: no amount, and the destination currency",
      answers: { 200: { body: signatureRecordV2Schema, description: "The record" }, 400: notFound },
      handle: ({ http, params: { requestId: id } }) =>
        answer(http, id, async ({ destination, origin, recipient, requestId, user }) => {
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
    }),
  ];
}

const parameters = parseAbiParameters(
  "bytes32 requestId, uint256 originChainId, bytes32 originUser, bytes32 originCurrency, uint256 destinationChainId, bytes32 destinationUser, bytes32 destinationCurrency",
);

/** Fields of a record of version 2, in the order in which they are signed, after the requestId. */
type RecordV2Fields = SignatureRecordV2Response["requestData"];

/** Signs a record of version 2 as a solver does: without the amount, and with the destination currency last. */
async function signRecordV2(
  account: Pick<LocalAccount, "signMessage">,
  requestId: Hex,
  fields: RecordV2Fields,
): Promise<Hex> {
  const word = (address: string) => recordWord(address as Hex);
  const encoded = encodeAbiParameters(parameters, [
    requestId,
    BigInt(fields.originChainId),
    word(fields.originUser),
    word(fields.originCurrency),
    BigInt(fields.destinationChainId),
    word(fields.destinationUser),
    word(fields.destinationCurrency),
  ]);
  return account.signMessage({ message: { raw: keccak256(encoded) } });
}
