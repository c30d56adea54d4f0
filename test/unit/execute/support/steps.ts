import { encodeFunctionData, erc20Abi } from "viem";
import type { Step } from "../../../../src/schema/quote/step.ts";
import { depository, depositStep, token } from "../../client/support/samples.ts";

/** An EIP-191 signature of a text. */
export const hello = { message: "hello", signatureKind: "eip191" };

/** An approval of `amount` for the depository. */
export function approveStep(amount = 5n): Step {
  const data = encodeFunctionData({ abi: erc20Abi, args: [depository, amount], functionName: "approve" });
  return { ...depositStep({ data, to: token, value: "0" }), id: "approve" };
}

/** A step whose signature of `sign` is posted to `/authorize`, with `more` fields of the post. */
export function signatureStep(sign: unknown = hello, more: object = {}, id = "authorize"): Step {
  const post = { body: { kind: "permit2" }, endpoint: "/authorize", method: "POST", ...more };
  const items = [{ data: { post, sign }, status: "incomplete" }];
  return { ...depositStep(), id, items, kind: "signature" } as unknown as Step;
}
