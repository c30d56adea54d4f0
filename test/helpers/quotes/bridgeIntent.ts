import { parseEther, zeroAddress } from "viem";
import { type GetPriceParameters, HttpError } from "../../../src/client/index.ts";
import type { EmulatorFixture, TestChain } from "../emulatorFixture.ts";
import { failureOf } from "../failureOf.ts";

/** An account without funds. */
export const bridgeRecipient = "0x00000000000000000000000000000000000ba5ed";

/** An intent of the first user: one ether from alpha to beta. */
export function bridgeIntent(
  { alpha, beta }: { readonly alpha: TestChain; readonly beta: TestChain },
  overrides: Partial<GetPriceParameters> = {},
): GetPriceParameters {
  return {
    amount: parseEther("1"),
    destinationChainId: beta.info.id,
    destinationCurrency: zeroAddress,
    originChainId: alpha.info.id,
    originCurrency: zeroAddress,
    recipient: bridgeRecipient,
    refundTo: overrides.user ?? alpha.wallet(0).account.address,
    tradeType: "EXACT_INPUT",
    user: alpha.wallet(0).account.address,
    ...overrides,
  };
}

/** Posts a body unchanged, with amounts as decimal strings. */
export function postJson(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    body: JSON.stringify(body, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    headers: { "content-type": "application/json", ...headers },
    method: "POST",
  });
}

/** Returns the emulator's answer unparsed. */
export async function askPlainly(
  { emulator }: EmulatorFixture,
  path: string,
  init?: RequestInit,
): Promise<{ body: unknown; status: number }> {
  const answer = await fetch(`${emulator.info.apiUrl}${path}`, init);
  return { body: await answer.json(), status: answer.status };
}

/** Returns the answer that rejected a call of the client. */
export async function refusalOf(call: Promise<unknown>): Promise<HttpError> {
  const error = await failureOf(call);
  if (!(error instanceof HttpError)) throw error;
  return error;
}
