import type { Hex } from "viem";
import { getQuote, getStatus, type Quote } from "../../../src/client/index.ts";
import { RequestFailedError } from "../../../src/errors/RequestFailedError.ts";
import { execute } from "../../../src/execute/index.ts";
import type { Status } from "../../../src/schema/request/status.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { bridgeIntent } from "../quotes/bridgeIntent.ts";

/** An account without funds. */
export const newcomer = "0x00000000000000000000000000000000000a11ce";

/** Quotes an intent of the first user; by default one ether from alpha to beta. */
export async function quoteOf(
  fixture: EmulatorFixture,
  overrides: Partial<Parameters<typeof getQuote>[1]> = {},
): Promise<Quote> {
  return getQuote(fixture.client, bridgeIntent(fixture, { recipient: newcomer, ...overrides }));
}

export function requestIdOf(quote: Quote): Hex {
  return quote.steps[0]?.requestId as Hex;
}

/** Pays for a quote and waits for its final status. */
export async function runToEnd(fixture: EmulatorFixture, quote: Quote, timeout = 20_000): Promise<Status> {
  await execute(fixture.client, {
    publicClient: fixture.alpha.reader,
    quote,
    timeout,
    verify: false,
    wallet: fixture.alpha.wallet(0),
  }).catch((error: unknown) => {
    if (!(error instanceof RequestFailedError)) throw error;
  });
  return getStatus(fixture.client, { requestId: requestIdOf(quote) });
}

/** Sends the deposit of a native quote, and waits for its block only. */
export async function pay({ alpha }: EmulatorFixture, quote: Quote): Promise<Hex> {
  const step = quote.steps.find(({ id }) => id === "deposit");
  const data = step?.items[0]?.data as { to: Hex; data: Hex; gas: string; value: string } | undefined;
  if (data === undefined) throw new Error("there is no deposit to make");
  const hash = await alpha.wallet(0).sendTransaction({
    data: data.data,
    gas: BigInt(data.gas),
    to: data.to,
    value: BigInt(data.value),
  });
  await alpha.reader.waitForTransactionReceipt({ hash });
  return hash;
}

/** Waits until a request has one of some statuses. */
export async function waitForStatus(
  { client }: EmulatorFixture,
  requestId: Hex,
  wanted: readonly string[],
  timeoutMs = 10_000,
): Promise<Status> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const status = await getStatus(client, { requestId });
    if (wanted.includes(status.status)) return status;
    if (performance.now() > end) throw new Error(`${requestId} is still ${status.status}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Calls a route below `/admin` with the admin key; returns status and body. */
export async function admin(
  { emulator }: EmulatorFixture,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const answer = await fetch(`${emulator.info.apiUrl}/admin${path}`, {
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { "content-type": "application/json", "x-admin-key": emulator.info.adminKey },
    method,
  });
  return { body: (await answer.json()) as Record<string, unknown>, status: answer.status };
}
