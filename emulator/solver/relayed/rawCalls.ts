import * as z from "zod";
import type { ExecuteRequest } from "../../../src/schema/quote/executeCalls.ts";
import { evmAddressSchema, hexSchema } from "../../../src/schema/wire/hex.ts";
import { authorizationsSchema, readAuthorizations } from "../../requests/authorizations.ts";
import type { SolverCall } from "../../router/fillCall.ts";

/** What a relayed deposit of raw calls stores: a call of the user's account, which holds no value. */
const payloadSchema = z.object({
  to: evmAddressSchema,
  data: hexSchema,
  authorizationList: authorizationsSchema,
});

/** See {@link payloadSchema}. */
export type RawCalls = z.output<typeof payloadSchema>;

/** Reads raw calls from their stored form. */
export function parseRawCalls(json: string): RawCalls {
  return payloadSchema.parse(JSON.parse(json));
}

/** Writes the calls of a request in their stored form: equal calls have equal text, whatever their letter case. */
export function serializeRawCalls({ authorizationList, data, to }: RawCalls): string {
  const text = JSON.stringify({
    authorizationList: authorizationList.map(({ address, chainId, nonce, r, s, yParity }) => ({
      address,
      chainId,
      nonce,
      r,
      s,
      yParity,
    })),
    data,
    to,
  });
  return text.replace(/"0x[0-9a-fA-F]*"/g, (hex) => hex.toLowerCase());
}

/** Reads the calls of a request; `undefined` for an authorization that no transaction can carry. */
export function readRawCalls({
  authorizationList = [],
  data,
  to,
}: ExecuteRequest["data"]): RawCalls | undefined {
  const authorizations = readAuthorizations(authorizationList);
  return authorizations && { authorizationList: authorizations, data, to };
}

/** The call that the service sends. */
export function callOf({ authorizationList, data, to }: RawCalls): SolverCall {
  const call = { data, to, value: 0n };
  return authorizationList.length === 0 ? call : { ...call, authorizationList };
}
