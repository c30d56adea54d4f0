import { type Address, getAddress } from "viem";
import { getCode } from "viem/actions";
import type { QuoteMismatch } from "../../errors/QuoteMismatchError.ts";
import type { Quote } from "../../schema/quote/quote.ts";
import { normalizeForComparison } from "./compareWhole.ts";
import { guardOutput } from "./guardOutput.ts";
import type { OutputClaim } from "./OutputClaim.ts";
import { usualMaximumGas } from "./proofDefaults.ts";
import type { Terms } from "./Terms.ts";

/** A quote to execute, or the claim that could not be proven. */
export type Settled = { readonly found: readonly QuoteMismatch[]; readonly quote: Quote };

/** Proves the claims about a router's calls: by a guard on the chain, else by a simulation if the caller allows it. */
export async function settleClaims(
  terms: Terms,
  claims: readonly OutputClaim[],
  quote: Quote,
): Promise<Settled> {
  let settled = quote;
  const found: QuoteMismatch[] = [];
  for (const claim of claims) {
    const guard = terms.origin?.outputGuard;
    if (claim.isOpen && guard !== undefined) {
      found.push(...(await expectCode(terms, guard, claim.path)));
      settled = guardOutput(settled, claim, guard, terms.policy.maximumGas ?? usualMaximumGas);
    } else {
      found.push(...(await simulate(terms, claim)));
    }
  }
  return { found, quote: settled };
}

/** Requires code at the guard's address: a call to an account without code succeeds. */
async function expectCode(
  { policy: { reader } }: Terms,
  guard: Address,
  path: string,
): Promise<readonly QuoteMismatch[]> {
  const code = reader && (await getCode(reader, { address: guard }).catch(() => undefined));
  if (reader === undefined || code !== undefined) return [];
  return [{ actual: "no code", code: "QUOTE_UNKNOWN_ROLE", expected: `the output guard at ${guard}`, path }];
}

async function simulate({ amountIn, policy, request }: Terms, claim: OutputClaim) {
  const { isOpen, minimum, path } = claim;
  const { allowSimulatedOutput, simulate: ask } = policy;
  if (allowSimulatedOutput !== true || ask === undefined) {
    const help =
      "or `allowSimulatedOutput` with `simulate: quoteSimulator(client)`, which the venue may betray";
    const expected = isOpen
      ? `an output that a guard enforces: name \`outputGuard\` of the chain in \`trust\`, ${help}`
      : `an output that a guard enforces, which the signature leaves no place for: ask with \`usePermit: false\`, ${help}`;
    const actual = isOpen ? "no guard is known" : "calls that are signed";
    return [{ actual, code: "QUOTE_UNGUARDED", expected, path }] as const;
  }
  const input = {
    amount: amountIn,
    currency: normalizeForComparison(request.originCurrency) as Address,
    sender: getAddress(request.user),
  };
  const output = await ask(claim, input).catch(() => undefined);
  if (output !== undefined && output >= minimum) return [];
  return [
    { actual: `${output ?? "it fails"}`, code: "QUOTE_SIMULATION", expected: `at least ${minimum}`, path },
  ] as const;
}
