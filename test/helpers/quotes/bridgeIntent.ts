import { parseEther, zeroAddress } from "viem";
import { type GetPriceParameters, HttpError } from "../../../src/client/index.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { failureOf } from "../failureOf.ts";

/** An account without funds. */
export const bridgeRecipient = "0x00000000000000000000000000000000000ba5ed";

/** One ether from alpha to beta, by the first user. */
export function bridgeIntent({ alpha, beta }: EmulatorFixture): GetPriceParameters {
  return {
    amount: parseEther("1"),
    destinationChainId: beta.info.id,
    destinationCurrency: zeroAddress,
    originChainId: alpha.info.id,
    originCurrency: zeroAddress,
    recipient: bridgeRecipient,
    tradeType: "EXACT_INPUT",
    user: alpha.wallet(0).account.address,
  };
}

/** What the emulator answers, as it is. */
export async function askPlainly(
  { emulator }: EmulatorFixture,
  path: string,
  init?: RequestInit,
): Promise<{ body: unknown; status: number }> {
  const answer = await fetch(`${emulator.info.apiUrl}${path}`, init);
  return { body: await answer.json(), status: answer.status };
}

/** The answer that a call of the client was refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<HttpError> {
  const error = await failureOf(call);
  if (!(error instanceof HttpError)) throw error;
  return error;
}
