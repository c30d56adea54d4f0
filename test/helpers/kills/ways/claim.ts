import { claimAppFees, type Quote } from "../../../../src/client/index.ts";
import { amountsOf, claimIdOf, type StartedClaim } from "../../appFees/claims.ts";
import type { Draws } from "../../seededDraws.ts";
import type { Ask, Paid, User } from "../Payment.ts";
import { sendSteps } from "./send.ts";
import { postTwice, reached } from "./signature.ts";

/** Pays, and claims the app fee of the payment once it succeeds. */
export async function payAndClaim(
  quote: Quote,
  { index, origin, purse }: User,
  draws: Draws,
  ask: Ask,
): Promise<Paid> {
  const hashes = await sendSteps(quote, { chain: origin, from: index });
  await ask(({ client }) => reached(client, quote, (status) => status === "success"), true);
  const account = draws.address();
  const claim: StartedClaim | undefined = await ask(
    ({ client }) =>
      claimAppFees(client, {
        ...{ chainId: origin.info.id, currency: origin.currency("USDC") },
        ...{ bounds: "none", recipient: account, wallet: purse.address },
      }),
    true,
  );
  if (claim === undefined) throw new Error("the claim was not started");
  await postTwice(purse, claim as Quote, ask);
  const { payout: amount } = amountsOf(claim);
  const payout = { account, amount, chainId: origin.info.id, requestId: claimIdOf(claim) };
  return { hashes, payout, relays: 0 };
}
