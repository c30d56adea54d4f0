import type { Hex } from "viem";
import { createClient, fastFill, getQuote, type Quote } from "../../../src/client/index.ts";
import { HttpError } from "../../../src/errors/HttpError.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { quickSleep } from "../quickSleep.ts";
import { bridgeIntent } from "../quotes/bridgeIntent.ts";
import { fresh, idOf } from "../requests/failureStage.ts";

/** A client with an API key of the emulator. */
function keyedClient({ emulator }: Pick<EmulatorFixture, "emulator">, apiKey?: string) {
  const key = apiKey ?? emulator.info.apiKeys[0]?.key ?? "";
  return createClient({ apiKey: key, baseUrl: emulator.info.apiUrl, sleep: quickSleep });
}

/** A quote of the first API key: a bridge of one ether from alpha to beta, to a fresh recipient by default. */
export function keyedQuote(
  fixture: EmulatorFixture,
  overrides: Partial<Parameters<typeof getQuote>[1]> = {},
): Promise<Quote> {
  return getQuote(keyedClient(fixture), bridgeIntent(fixture, { recipient: fresh(), ...overrides }));
}

/** Terms of a fast fill besides the request. */
export type FastFillTerms = {
  readonly solverInputCurrencyAmount?: bigint;
  readonly maxFillAmountUsd?: number;
};

/** Asks for a fast fill with the first API key. */
export async function fillFast(
  fixture: Pick<EmulatorFixture, "emulator">,
  quote: Quote,
  terms: FastFillTerms = {},
  apiKey?: string,
): Promise<string | undefined> {
  const { message } = await fastFill(keyedClient(fixture, apiKey), { requestId: idOf(quote), ...terms });
  return message;
}

/** Status and message of a refused fast fill. */
export async function fastFillRefusal(
  fixture: Pick<EmulatorFixture, "emulator">,
  requestId: Hex,
  terms: FastFillTerms = {},
  apiKey?: string,
): Promise<readonly [number | undefined, string]> {
  const error = await fastFill(keyedClient(fixture, apiKey), { requestId, ...terms }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpError)) throw error ?? new Error("the fast fill was accepted");
  return [error.status, error.message];
}

/** Dollars of a wallet's outstanding advances. */
export async function outstandingOf({ emulator }: EmulatorFixture, wallet: string): Promise<number> {
  const answer = await fetch(`${emulator.info.apiUrl}/app-fees/${wallet}/balances`);
  const { outstandingFastFillBalanceUsd } = (await answer.json()) as {
    outstandingFastFillBalanceUsd: number;
  };
  return outstandingFastFillBalanceUsd;
}

/** App fees that a wallet has earned, in dollars. */
export async function earnedOf({ emulator }: EmulatorFixture, wallet: string): Promise<number> {
  const answer = await fetch(`${emulator.info.apiUrl}/app-fees/${wallet}/balances`);
  return ((await answer.json()) as { totalBalanceUsd: number }).totalBalanceUsd;
}
