import type { Address } from "viem";
import { trustOfEmulator } from "../../../emulator/trustOfEmulator.ts";
import { quoteSimulator } from "../../../src/calls/quoteSimulator.ts";
import { findQuoteMismatches } from "../../../src/calls/verifyQuote.ts";
import { type Client, type GetQuoteParameters, getQuote, type Quote } from "../../../src/client/index.ts";
import { type ExecutionState, execute } from "../../../src/execute/index.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import type { Draws } from "../seededDraws.ts";
import { type Accounts, type RouteKind, requestFor } from "./routes.ts";
import { makeUser, type User } from "./users.ts";

/** An honest quote with its user, and the caller's expectations. */
export type Stage = {
  readonly fixture: EmulatorFixture;
  readonly kind: RouteKind;
  readonly accounts: Accounts;
  readonly user: User;
  readonly request: GetQuoteParameters;
  readonly quote: Quote;
  /** The caller's own figures. */
  readonly bounds: { readonly maximumInput: bigint; readonly minimumOutput: bigint };
  /** Quotes that the attacker requested from the same service, with real ids and the genuine solver. */
  readonly donors: readonly Quote[];
};

/** A hostile service's version of a quote. */
export type Mutant = {
  readonly name: string;
  readonly quote: Quote;
  /** Changes the service's answer to a signature. */
  readonly changeAnswer?: (answer: Record<string, unknown>) => Record<string, unknown>;
  /** A manipulated saved state. */
  readonly state?: ExecutionState;
};

/** The attacker: mutants try to pay this account. */
export const thief: Address = "0x00000000000000000000000000000000000bad00";

/** Difference between the caller's own bounds and the quote, in basis points. */
const margin = 100n;

/** Sets up a route: a user, a fresh recipient, an honest quote, and an attacker's quotes. */
export async function openStage(
  fixture: EmulatorFixture,
  kind: RouteKind,
  draws: Draws,
  previous?: Stage,
): Promise<Stage> {
  const user = previous?.user ?? (await makeUser(fixture, kind));
  const accounts = previous?.accounts ?? {
    callee: draws.address(),
    recipient: draws.address(),
    user: user.address,
  };
  const request = requestFor(kind, fixture, accounts);
  const quote = await getQuote(fixture.client, request);
  // An executed quote may be served again.
  const [used, ...others] = previous?.donors ?? (await donorsOf(fixture, kind, accounts));
  const donors = previous === undefined ? [used, ...others] : [previous.quote, ...others];
  const { currencyIn, currencyOut } = quote.details;
  const least = BigInt(currencyOut.minimumAmount ?? currencyOut.amount);
  const isFixedInput = request.tradeType === "EXACT_INPUT";
  const fixedOutput = request.tradeType === "EXACT_OUTPUT" ? BigInt(request.amount) : undefined;
  return {
    accounts,
    bounds: {
      maximumInput: isFixedInput ? BigInt(request.amount) : withMargin(BigInt(currencyIn.amount), margin),
      minimumOutput: fixedOutput ?? withMargin(least, -margin),
    },
    donors: donors.filter((donor) => donor !== undefined),
    fixture,
    kind,
    quote,
    request,
    user,
  };
}

function withMargin(amount: bigint, basisPoints: bigint): bigint {
  return (amount * (10_000n + basisPoints)) / 10_000n;
}

/**
 * The attacker's quotes: with the victim as the payer and the attacker as the recipient; for the attacker only; of a
 * lower or a higher amount than the victim's; with a fee for the attacker; in another currency.
 */
async function donorsOf(
  fixture: EmulatorFixture,
  kind: RouteKind,
  accounts: Stage["accounts"],
): Promise<readonly Quote[]> {
  const request = requestFor(kind, fixture, accounts);
  const others = [
    request,
    { ...request, recipient: thief, txs: undefined },
    { ...request, recipient: thief, txs: undefined, usePermit: false },
    { ...request, recipient: thief, txs: undefined, user: thief },
    { ...request, amount: BigInt(request.amount) / 2n, recipient: accounts.recipient, txs: undefined },
    { ...request, amount: BigInt(request.amount) * 2n },
    { ...request, appFees: [{ fee: "500", recipient: thief }] },
    { ...request, refundTo: thief },
    { ...request, refundTo: accounts.recipient },
    requestFor({ from: "USDC", name: "", to: "USDC" }, fixture, { ...accounts, recipient: thief }),
    requestFor({ from: "ETH", name: "", to: "ETH" }, fixture, { ...accounts, recipient: thief }),
  ];
  const quotes = await Promise.all(
    others.map((other) => getQuote(fixture.client, other).catch(() => undefined)),
  );
  return quotes.filter((quote) => quote !== undefined);
}

/** The caller's policy: the emulator's contracts as trust roots, and its own bounds. */
function policyOf({ bounds, fixture, request }: Stage) {
  const { maximumInput, minimumOutput } = bounds;
  const isFixedInput = request.tradeType === "EXACT_INPUT";
  const isExpected = request.tradeType === "EXPECTED_OUTPUT";
  return {
    // The calls of a signature are fixed: no guard can be inserted.
    ...(request.usePermit === true && {
      allowSimulatedOutput: true,
      simulate: quoteSimulator(fixture.alpha.reader),
    }),
    ...(!isFixedInput && { maximumInput }),
    ...((isFixedInput || isExpected) && { minimumOutput }),
    trust: trustOfEmulator(fixture.emulator.info),
  };
}

/** Error code of a rejected mutant; `undefined` if it is proven. */
export async function prove(stage: Stage, { quote }: Mutant): Promise<string | undefined> {
  const { fixture, request } = stage;
  const reader = fixture.alpha.reader;
  try {
    const [first] = await findQuoteMismatches({ ...policyOf(stage), quote, reader, request });
    return first?.code;
  } catch (error) {
    return codeOf(error);
  }
}

/** Executes a mutant with all checks of `execute`. */
export async function carryOut(stage: Stage, { quote, state }: Mutant, client: Client): Promise<string> {
  const { fixture, request, user } = stage;
  const { status } = await execute(client, {
    publicClient: fixture.alpha.reader,
    quote,
    request,
    state,
    timeout: 1_200,
    verify: policyOf(stage),
    wallet: user.wallet,
  });
  return status;
}

/** Name of an error in a report. */
export function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : String(name ?? error);
}
