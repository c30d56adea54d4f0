import { expect } from "chai";
import type { Address } from "viem";
import type { TrustedChain } from "../../../src/calls/verify/TrustRoots.ts";
import type { QuotePolicy } from "../../../src/calls/verify/VerifyQuoteParameters.ts";
import { findQuoteMismatches } from "../../../src/calls/verifyQuote.ts";
import { type Client, type GetQuoteParameters, getQuote, type Quote } from "../../../src/client/index.ts";
import type { QuoteMismatch } from "../../../src/errors/QuoteMismatchError.ts";
import { execute } from "../../../src/execute/index.ts";
import type { EmulatorFixture } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { attacker, policyOf } from "../../helpers/quotes/quoteChanges.ts";
import { moneyOf } from "./hostileQuotes.ts";

/** A user of an emulator, whose quotes can be changed, proven and executed. */
export type QuoteStage = {
  user(): Address;
  addressOf(symbol: string): Address;
  /** A quote to change, and its original bounds. */
  quoted(request: GetQuoteParameters): Promise<{ policy: QuotePolicy; quote: Quote }>;
  /** The differences of a quote for the request, with more of a policy, and after a change. */
  differences(
    request: GetQuoteParameters,
    more?: QuotePolicy,
    change?: (quote: Quote) => unknown,
  ): Promise<readonly QuoteMismatch[]>;
  /** The same, each as its code and path. */
  pathsOf(...asked: Parameters<QuoteStage["differences"]>): Promise<string[]>;
  /** The codes that the proof finds, each once. */
  codesOf(quote: Quote, request: GetQuoteParameters, policy: QuotePolicy): Promise<string[]>;
  /** Executes a quote that must fail without moving money, and returns the error. */
  robbedBy(
    quote: Quote,
    request: GetQuoteParameters,
    parameters: { client?: Client; state?: unknown; verify: QuotePolicy },
  ): Promise<unknown>;
};

/** Maximum gas cost of a few transactions, in wei. */
const gasAllowance = 10n ** 16n;

/** Sets the stage on an emulator. */
export function quoteStage(fixture: EmulatorFixture): QuoteStage {
  const user = () => fixture.alpha.wallet(0).account.address;
  const differences: QuoteStage["differences"] = async (request, more, change) => {
    const quote = structuredClone(await getQuote(fixture.client, request));
    const policy = { ...policyOf(fixture, quote), ...more };
    await change?.(quote);
    return findQuoteMismatches({ ...policy, quote, request });
  };
  return {
    addressOf: (symbol) => fixture.alpha.currency(symbol),
    codesOf: async (quote, request, policy) => {
      const found = await findQuoteMismatches({ ...policy, quote, request });
      return [...new Set(found.map(({ code }) => code))];
    },
    differences,
    pathsOf: async (...asked) => (await differences(...asked)).map(({ code, path }) => `${code} ${path}`),
    quoted: async (request) => {
      const quote = structuredClone(await getQuote(fixture.client, request));
      return { policy: policyOf(fixture, quote), quote };
    },
    robbedBy: async (quote, request, { client = fixture.client, state, verify }) => {
      const { alpha } = fixture;
      const [before, taken] = [await moneyOf(alpha, user()), await moneyOf(alpha, attacker)];
      const error = await failureOf(
        execute(client, {
          publicClient: alpha.reader,
          quote,
          request,
          state: state as never,
          timeout: 5_000,
          verify,
          wallet: alpha.wallet(0),
        }),
      );
      const after = await moneyOf(alpha, user());
      expect(await moneyOf(alpha, attacker)).to.deep.equal(taken);
      const [gas = 0n, ...tokens] = before.map((amount, index) => amount - (after[index] ?? 0n));
      expect(tokens).to.deep.equal([0n, 0n, 0n]);
      expect(gas < gasAllowance).to.equal(true);
      return error;
    },
    user,
  };
}

/** Trust roots of a policy, with some fields of every chain replaced. */
export function rootsWith({ trust }: QuotePolicy, fields: Partial<TrustedChain>) {
  const { chains = [], solvers = [] } = trust ?? {};
  return { trust: { chains: chains.map((chain) => ({ ...chain, ...fields })), solvers } };
}
