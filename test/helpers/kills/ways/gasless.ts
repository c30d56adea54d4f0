import type { Quote } from "../../../../src/client/index.ts";
import { erc20Data } from "../../erc20Data.ts";
import { callsOf, gaslessBody } from "../../quotes/gasless.ts";
import { requestIdOf } from "../../quotes/intents.ts";
import { dollars } from "../drawIntent.ts";
import type { Ask, Paid, User } from "../Payment.ts";
import { send } from "./send.ts";
import { postJson } from "./signature.ts";

/** Pays by a signed batch of an account without native currency, posted to two replicas at once. */
export async function payWithoutGas(quote: Quote, { index, origin, purse }: User, ask: Ask): Promise<Paid> {
  const data = erc20Data("transfer", purse.address, dollars);
  await send({ chain: origin, data, from: index, to: origin.currency("USDC"), value: 0n });
  const body = await gaslessBody(purse, origin, callsOf(quote), { requestId: requestIdOf(quote) });
  const post = () => ask(({ apiUrl }) => postJson(`${apiUrl}/execute`, body), true);
  await Promise.all([post(), post()]);
  return { hashes: [], passes: [purse.address], relays: 1 };
}
