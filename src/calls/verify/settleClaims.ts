import { type Address, getAddress } from "viem";
import { getCode } from "viem/actions";
import type { Quote } from "../../schema/quote/quote.ts";
import { guardOutput } from "./guardOutput.ts";
import { normalizeForComparison } from "./normalizeForComparison.ts";
import type { OutputClaim } from "./OutputClaim.ts";
import { type QuoteCheck, report } from "./QuoteCheck.ts";

/**
 * Proves the claims about a router's calls: by a guard on the chain, else by a simulation if the caller allows it.
 *
 * @returns The quote to execute, with the guard among the calls.
 */
export async function settleClaims(check: QuoteCheck, quote: Quote): Promise<Quote> {
  let settled = quote;
  for (const claim of check.claims) {
    const guard = check.chains.origin?.outputGuard;
    if (claim.isOpen && guard !== undefined) {
      await expectCode(check, guard, claim.path);
      settled = guardOutput(settled, claim, guard);
    } else {
      await simulate(check, claim);
    }
  }
  return settled;
}

/** Requires code at the guard's address: a call to an account without code succeeds. */
async function expectCode({ policy, ...check }: QuoteCheck, guard: Address, path: string): Promise<void> {
  if (policy.reader === undefined) return;
  const code = await getCode(policy.reader, { address: guard }).catch(() => undefined);
  if (code === undefined) {
    report({ policy, ...check }, "QUOTE_UNKNOWN_ROLE", path, `the output guard at ${guard}`, "no code");
  }
}

async function simulate(check: QuoteCheck, claim: OutputClaim): Promise<void> {
  const { policy, wanted } = check;
  const { minimum, path } = claim;
  if (policy.allowSimulatedOutput !== true || policy.simulate === undefined) {
    const expected = policy.allowSimulatedOutput === true ? "`simulate` of the policy" : "a guarded output";
    report(
      check,
      "QUOTE_UNGUARDED",
      path,
      expected,
      claim.isOpen ? "no guard is known" : "calls that are signed",
    );
    return;
  }
  const input = {
    amount: wanted.amountIn,
    currency: normalizeForComparison(wanted.originCurrency) as Address,
    sender: getAddress(wanted.user),
  };
  const output = await policy.simulate(claim, input).catch(() => undefined);
  if (output === undefined || output < minimum) {
    report(check, "QUOTE_SIMULATION", path, `at least ${minimum}`, output ?? "it fails");
  }
}
