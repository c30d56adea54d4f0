import type { Hex } from "viem";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { createClient, type FeeSponsorshipV2, type Quote } from "../../../src/client/index.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { quickSleep } from "../quickSleep.ts";
import { requestIdOf } from "./intents.ts";

/** The sponsor's part of a quote, in full. */
export type QuotedSponsorship = NonNullable<FeeSponsorshipV2["quoted"]>;

/** The fixture with a client that presents an API key. */
export function asIntegrator(
  fixture: EmulatorFixture,
  key: string = fixture.emulator.info.apiKeys[0]?.key ?? "",
): EmulatorFixture {
  const { alpha, beta, emulator } = fixture;
  const client = createClient({ apiKey: key, baseUrl: emulator.info.apiUrl, sleep: quickSleep });
  return { alpha, beta, client, emulator, stop: fixture.stop };
}

/** A new integrator with a sponsor's balance. */
export async function newSponsor(fixture: EmulatorFixture, amount: bigint) {
  const { keys, sponsors } = fixture.emulator.control;
  const { id, key } = await keys.create({ name: "sponsor" });
  await sponsors.set({ amount, apiKeyId: id });
  return { as: asIntegrator(fixture, key), id, key };
}

/** The sponsor's part that a quote shows. */
export function sponsorshipOf({ feeSponsorship }: Quote): QuotedSponsorship {
  if (!feeSponsorship?.quoted) throw new Error("the quote has no sponsor");
  return feeSponsorship.quoted;
}

/** Reads the record of a request with the first API key of the emulator. */
export async function recordOf(
  { info }: { readonly info: EmulatorInfo },
  quote: Quote,
  version: "v2" | "v3",
): Promise<Record<string, unknown> & { readonly data: Record<string, never> }> {
  const url = `${info.apiUrl}/requests/${version}?id=${requestIdOf(quote) as Hex}`;
  const answer = await fetch(url, { headers: { "x-api-key": info.apiKeys[0]?.key ?? "" } });
  const { requests } = (await answer.json()) as { requests: readonly never[] };
  return requests[0] as never;
}
