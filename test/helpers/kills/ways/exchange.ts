import type { Client, Quote } from "../../../../src/client/index.ts";
import { formatExchangeAmount } from "../../../../src/perps/amounts.ts";
import { perpsUsdcDecimals } from "../../../../src/perps/constants.ts";
import { type ExchangeStage, postMapping, signQuote, signTransfer } from "../../perps.ts";
import { exchangeDollars } from "../drawIntent.ts";
import type { Ask, Paid, User } from "../Payment.ts";
import type { PaymentKind } from "../paymentPlans.ts";
import { postJson } from "./signature.ts";

/** Pays from the perps exchange: states the nonce, then transfers with it. */
export async function payOnExchange(
  kind: PaymentKind,
  quote: Quote,
  { destination, index, origin }: User,
  ask: Ask,
): Promise<Paid> {
  const stageOf = (client: Client): ExchangeStage => ({
    ...{ alpha: origin, beta: destination, client },
    emulator: { control: { clock: { read: () => ({ now: Date.now() }) } }, info: {} },
  });
  const offline = stageOf(undefined as never);
  const signed = await signQuote(offline, quote, index);
  const isLess = kind === "from the exchange, too little";
  const deposited = exchangeDollars - (isLess ? 1n : 0n);
  const amount = formatExchangeAmount({ amount: deposited, decimals: perpsUsdcDecimals });
  const transfer = isLess ? await signTransfer(offline, quote, { amount }, index) : signed.deposit;
  await ask(({ client }) => postMapping(stageOf(client), signed.authorize), true);
  const post = () => ask(({ apiUrl }) => postAction(apiUrl, transfer), true);
  await Promise.all([post(), post()]);
  return { deposited, hashes: [], relays: 0 };
}

/** @throws unless the exchange has executed the action, now or before. */
async function postAction(apiUrl: string, request: unknown): Promise<void> {
  const { response, status } = (await postJson(`${apiUrl}/perps/exchange`, request)) as {
    readonly response: unknown;
    readonly status: string;
  };
  if (status !== "ok" && !String(response).includes("already used")) throw new Error(String(response));
}
