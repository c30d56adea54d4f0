import { type Address, encodeFunctionData, getAddress, type Hex, keccak256, parseAbi } from "viem";
import { getCode } from "viem/actions";
import type { QuoteMismatch } from "../../errors/QuoteMismatchError.ts";
import { normalizeForComparison, Unmet } from "./compareWhole.ts";
import { usualMaximumGas } from "./proofDefaults.ts";
import { readable } from "./readChains.ts";
import { type OutputClaim, type RoutedCall, replaceCalls } from "./routedCalls.ts";
import type { Terms } from "./Terms.ts";

/** A transaction with claimed calls, as it is sent. */
type Sent = { readonly data: Hex; readonly gas?: string };
type Settled = { readonly found: readonly QuoteMismatch[]; readonly sent: Sent };

const guardAbi = /* @__PURE__ */ parseAbi([
  "function noteBalance(bytes32 id, address currency, address account)",
  "function requireGain(bytes32 id, address currency, address account, uint256 gain)",
  "function requireBalance(address currency, address account, uint256 minimum)",
]);
/** Maximum gas of the guard's calls, for two tokens with costly `balanceOf`. */
const guardGas = 150_000n;

/**
 * Proves a claim about a router's calls: by a guard on the chain, else by a simulation if the caller allows it. Returns the
 * transaction to send.
 */
export async function settleClaim(terms: Terms, claim: OutputClaim, sent: Sent): Promise<Settled> {
  const { origin, policy } = terms;
  const { maximumGas = usualMaximumGas, reader } = policy;
  const guard = origin?.outputGuard;
  if (!claim.isOpen || guard === undefined) return { found: await simulate(terms, claim), sent };
  // A call to an account without code succeeds.
  const code = reader && (await readable(getCode(reader, { address: guard })));
  if (reader !== undefined && (code === undefined || code instanceof Unmet)) {
    const expected = `the output guard at ${guard}`;
    return { found: [{ actual: "no code", code: "QUOTE_UNKNOWN_ROLE", expected, path: claim.path }], sent };
  }
  return { found: [], sent: guardCalls(claim, guard, { maximumGas, sent }) };
}

/**
 * Inserts the guard's calls around those of a claim. Deterministic, so that a resumed run finds the transaction of an
 * earlier one. The id hashes the calldata without the guard, so that a balance noted by another batch of the transaction
 * does not count.
 */
function guardCalls(
  { account, currency, index, kind, minimum, path }: OutputClaim,
  guard: Address,
  { maximumGas, sent }: { readonly maximumGas: bigint; readonly sent: Sent },
): Sent {
  const noted = [keccak256(sent.data), currency, account] as const;
  const call = (name: string, ...args: readonly unknown[]): RoutedCall => ({
    allowFailure: false,
    callData: encodeFunctionData({ abi: guardAbi, args: args as never, functionName: name as "noteBalance" }),
    target: guard,
    value: 0n,
  });
  const [before, ...after]: readonly [RoutedCall, ...RoutedCall[]] =
    kind === "balance"
      ? [call("requireBalance", currency, account, minimum)]
      : [call("noteBalance", ...noted), call("requireGain", ...noted, minimum)];
  const data = replaceCalls(sent.data, (calls) => [...calls.toSpliced(index, 0, before), ...after]);
  if (data === undefined) throw new Error(`${path} holds no calls`);
  if (sent.gas === undefined) return { ...sent, data };
  const gas = BigInt(sent.gas) + guardGas;
  return { ...sent, data, gas: `${gas < maximumGas ? gas : maximumGas}` };
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
  const currency = normalizeForComparison(request.originCurrency) as Address;
  const input = { amount: amountIn, currency, sender: getAddress(request.user) };
  const asked = Promise.resolve().then(() => ask(claim, input));
  const output = await asked.catch(() => undefined);
  if (output !== undefined && output >= minimum) return [];
  const actual = `${output ?? "it fails"}`;
  return [{ actual, code: "QUOTE_SIMULATION", expected: `at least ${minimum}`, path }] as const;
}
