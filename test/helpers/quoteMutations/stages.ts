import type { Address } from "viem";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import type { Draws } from "../seededDraws.ts";
import { type RouteKind, requestFor } from "./routeKinds.ts";
import { type Stage, thief } from "./Stage.ts";
import { makeUser } from "./users.ts";

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
 * lower amount; in another currency.
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

/** Accounts whose money a proof protects. */
export function receiversOf({ accounts }: Stage): readonly Address[] {
  return [accounts.recipient, accounts.callee];
}
