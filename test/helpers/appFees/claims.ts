import type { Account, Address, Hex } from "viem";
import {
  type ClaimAppFeesParameters,
  claimAppFees,
  getAppFeeBalances,
  type Quote,
} from "../../../src/client/index.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { carryOut, quoteFor } from "../quotes/intents.ts";
import { type Posted, postSignature, signQuote } from "../quotes/permits.ts";

/** A started claim, in the form that signing and posting take: steps with one signature. */
export type StartedClaim = Pick<Quote, "steps">;

/** Lets a wallet earn a fee of 25 USDC, by a request that succeeds. */
export async function earn(fixture: EmulatorFixture, wallet: Address): Promise<void> {
  const appFees = [{ fee: "5000", recipient: wallet }];
  await carryOut(fixture, await quoteFor(fixture, { appFees, from: "USDC", to: "USDC" }));
}

/** Sums a wallet's balance, in smallest units of USDC. */
export async function balanceOf({ client }: EmulatorFixture, wallet: Address): Promise<bigint> {
  const { balances } = await getAppFeeBalances(client, { wallet });
  return balances.reduce((sum, { amount }) => sum + BigInt(amount ?? 0), 0n);
}

/** Starts a claim in USDC on alpha for the wallet itself, by default. */
export function startClaim(
  { alpha, client }: EmulatorFixture,
  wallet: Address,
  overrides: Partial<ClaimAppFeesParameters> = {},
): Promise<StartedClaim> {
  return claimAppFees(client, {
    chainId: alpha.info.id,
    currency: alpha.currency("USDC"),
    minimumPayout: 1n,
    recipient: wallet,
    wallet,
    ...overrides,
  });
}

/** Signs a claim as an account, and posts the signature. */
export async function signClaim(
  fixture: EmulatorFixture,
  claim: StartedClaim,
  account: Account,
): Promise<Posted> {
  return postSignature(fixture, claim as Quote, await signQuote(account, claim as Quote));
}

/** The request that a claim is. */
export function claimIdOf({ steps }: StartedClaim): Hex {
  return steps[0]?.requestId as Hex;
}

/** Amounts of a claim, in smallest units of the claimed currency. */
export function amountsOf({ steps }: StartedClaim): { readonly amount: bigint; readonly payout: bigint } {
  const [step] = steps;
  const sign = step?.kind === "signature" ? step.items[0]?.data?.sign : undefined;
  if (sign?.signatureKind !== "eip712") throw new Error("there is no typed data to sign");
  const { amount, payout } = sign.value as { amount: string; payout: string };
  return { amount: BigInt(amount), payout: BigInt(payout) };
}
