import type { Account, Hex } from "viem";
import { type Client, getStatus, type Quote } from "../../../../src/client/index.ts";
import { signatureOf, signQuote } from "../../quotes/permits.ts";
import type { Ask, Paid, Payer } from "../Payment.ts";
import type { PaymentKind } from "../paymentPlans.ts";
import { send, sendSteps, transactionsOf } from "./send.ts";

/** Posts the signature to two replicas at once; the money moves once. */
export async function payBySignature(
  kind: PaymentKind,
  quote: Quote,
  { index, origin }: Payer,
  ask: Ask,
): Promise<Paid> {
  const own = { chain: origin, from: index };
  for (const approval of transactionsOf(quote.steps)) await send({ ...own, ...approval });
  const steps = await postTwice(origin.wallet(index).account, quote, ask);
  // An ERC-2612 permit is answered with the user's own transaction.
  const hashes = await sendSteps({ steps }, own);
  // The user approves one payment at a time: a concurrent quote would rely on this one's allowance.
  if (kind === "by Permit2") {
    await ask(({ client }) => reached(client, quote, (status) => !unpaid.has(status)), true);
  }
  return { hashes, relays: hashes.length === 0 ? 1 : 0 };
}

const ends: ReadonlySet<string> = new Set(["success", "failure", "refund"]);
const unpaid: ReadonlySet<string> = new Set(["waiting", "depositing"]);

/** Signs what a quote requests, and posts it to two replicas at once, repeatedly until both accept it. */
export async function postTwice(account: Account, quote: Quote, ask: Ask): Promise<Quote["steps"]> {
  const { body, endpoint } = signatureOf(quote).post;
  const signature = await signQuote(account, quote);
  const post = () => ask(({ apiUrl }) => postJson(`${apiUrl}${endpoint}?signature=${signature}`, body), true);
  const [answer] = await Promise.all([post(), post()]);
  return (answer as { readonly steps?: Quote["steps"] }).steps ?? [];
}

/** @throws for every answer but 200. */
export async function postJson(url: string, body: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { body: JSON.stringify(body), headers, method: "POST" });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** @throws As long as the request has another status: `is still`, unless it has ended. */
export async function reached(
  client: Client,
  { steps }: Quote,
  isReached: (status: string) => boolean,
): Promise<void> {
  const requestId = steps[0]?.requestId as Hex;
  const { status } = await getStatus(client, { requestId });
  if (isReached(status)) return;
  throw new Error(`${requestId} ${ends.has(status) ? "ended as" : "is still"} ${status}`);
}
