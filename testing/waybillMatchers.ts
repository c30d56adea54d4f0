import { type Address, isAddress, zeroAddress } from "viem";
import * as z from "zod";
import { InvalidParameterError } from "../src/errors/InvalidParameterError.ts";
import type { FailReason } from "../src/schema/request/failReason.ts";
import { type Leftover, leftIn } from "./leftIn.ts";
import type { SettledRequest, TestRequest } from "./TestRequest.ts";

declare global {
  // biome-ignore lint/style/noNamespace: chai declares its assertions in one.
  namespace Chai {
    interface Assertion {
      /** The request succeeds, and exactly one transaction paid for it. */
      bePaidOnce(): Promise<void>;
      /** The request is refunded by exactly one transaction, for this reason if one is given. */
      refundWith(reason?: FailReason): Promise<void>;
      /** The payments of the request leave neither a balance in these contracts nor an allowance of them. */
      leaveNothingIn(contracts: ContractLike | readonly ContractLike[]): Promise<void>;
    }
  }
}

/** An address, or a contract of viem or ethers. */
export type ContractLike = Address | { readonly address: Address } | { readonly target: unknown };

/** The used part of an assertion of chai. */
type Assertion = {
  readonly _obj: unknown;
  assert(isTrue: boolean, message: string, negated: string, expected?: unknown, actual?: unknown): void;
};

/** The used part of chai, which vitest exports too. */
type ChaiLike = {
  readonly Assertion: {
    addMethod(name: string, method: (this: Assertion, ...parameters: unknown[]) => unknown): void;
  };
};

/**
 * Adds matchers to chai: `bePaidOnce`, `refundWith` and `leaveNothingIn`. Their subject is a request of a test emulator; each
 * waits until it ends, so the assertion must be awaited. They read payments from the chains' blocks, not from the service.
 *
 * @example
 * import { waybillMatchers } from "@waybill/emulator/testing";
 * import { use } from "chai";
 *
 * use(waybillMatchers);
 * // await expect(emulator.request(quote)).to.bePaidOnce();
 */
export function waybillMatchers({ Assertion }: ChaiLike): void {
  const add = (name: string, check: (this: Assertion, ...parameters: unknown[]) => Promise<void>) =>
    Assertion.addMethod(name, function (...parameters) {
      const ended = check.apply(this, parameters);
      // chai-as-promised drops what a method returns, and returns the assertion: that must wait, too.
      Object.defineProperties(this, {
        catch: { configurable: true, value: ended.catch.bind(ended) },
        // biome-ignore lint/suspicious/noThenProperty: `await` calls it.
        then: { configurable: true, value: ended.then.bind(ended) },
      });
      return ended;
    });
  add("bePaidOnce", async function (this: Assertion) {
    const settled = await subjectOf(this).settled();
    this.assert(
      settled.status === "success" && settled.payments.length === 1,
      `expected ${settled.id} to be paid once, but it ${outcomeOf(settled)}`,
      `expected ${settled.id} not to be paid once`,
    );
  });
  add("refundWith", async function (this: Assertion, reason?: unknown) {
    const settled = await subjectOf(this).settled();
    const [payment, ...others] = settled.payments;
    const isRefunded = settled.status === "refund" && payment?.kind === "refund" && others.length === 0;
    const wanted = reason === undefined ? "" : ` with ${reason}`;
    this.assert(
      isRefunded && (reason === undefined || settled.failReason === reason),
      `expected ${settled.id} to be refunded once${wanted}, but it ${outcomeOf(settled)}`,
      `expected ${settled.id} not to be refunded${wanted}`,
    );
  });
  add("leaveNothingIn", async function (this: Assertion, given: unknown) {
    const contracts = [given].flat().map(addressOf);
    const { id, payments } = await subjectOf(this).settled();
    const left = await Promise.all(payments.map(({ chain, hash }) => leftIn(chain, hash, contracts)));
    this.assert(
      left.flat().length === 0,
      `expected the payments of ${id} to leave nothing, but they left ${left.flat().map(describe).join(", ")}`,
      `expected the payments of ${id} to leave something`,
    );
  });
}

function subjectOf({ _obj }: Assertion): TestRequest {
  if (typeof _obj === "object" && _obj !== null && "settled" in _obj) return _obj as TestRequest;
  const reason = "the subject is not a request of a test emulator: use expect(emulator.request(quote))";
  throw new InvalidParameterError({ parameter: "subject", reason });
}

function outcomeOf({ details, failReason, payments, refundFailReason, status }: SettledRequest): string {
  const reasons = [failReason, refundFailReason, details].filter((each) => each !== null && each !== "N/A");
  const why = reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
  const sent = payments.map(({ chain, hash, kind }) => `${kind} ${hash} on ${chain.info.name}`);
  return `ended in ${status}${why} with ${sent.length === 0 ? "no payment" : sent.join(" and ")}`;
}

function describe({ amount, contract, currency, spender }: Leftover): string {
  const of = currency === zeroAddress ? "native currency" : currency;
  if (spender === undefined) return `${amount} of ${of} in ${contract}`;
  return `an allowance of ${amount} of ${of} from ${contract} to ${spender}`;
}

function addressOf(contract: unknown): Address {
  const { address, target } = z
    .object({ address: z.unknown(), target: z.unknown() })
    .partial()
    .catch({})
    .parse(contract);
  const found = [contract, address, target].find((each) => typeof each === "string" && isAddress(each));
  if (found !== undefined) return found as Address;
  throw new InvalidParameterError({
    parameter: "contracts",
    reason: "one is neither an address nor a contract",
  });
}
