import type { Hex, LocalAccount } from "viem";
import { trustOfEmulator } from "../../emulator/index.ts";
import { getQuote, type Quote } from "../../src/client/index.ts";
import {
  type ExchangeWithdrawalParameters,
  exchangeWithdrawal,
  type VerifyWithdrawalParameters,
  verifyWithdrawal,
} from "../../src/perps/index.ts";
import { hashOrder, signOrder } from "../../src/records/hashOrder.ts";
import { normalizeOrder } from "../../src/records/normalizeOrder.ts";
import type { EmulatorFixture } from "./emulatorFixture.ts";
import { failureOf } from "./failureOf.ts";
import { withdrawn } from "./perps.ts";
import { put } from "./put.ts";

/** Parts of a withdrawal's quote. */
export const authorizeData = "steps.0.items.0.data";
export const depositData = "steps.1.items.0.data";
export const orderPath = "protocol.v2.orderData";

export const recipient = `0x${"ab".repeat(20)}` as const;

/** Replaces the paid account in the transfer and in the payment details. */
export function payTo(quote: Quote, account: string): void {
  put(quote, `${depositData}.action.parameters.destination`, account);
  put(quote, "protocol.v2.paymentDetails.depository", account);
}

/** Signs the changed order as an account, and names its id in all places. */
export async function signAgain(quote: Quote, account: LocalAccount): Promise<void> {
  const v2 = quote.protocol?.v2;
  if (v2?.orderData === undefined) throw new Error("the quote has no order");
  const order = normalizeOrder({ orderData: v2.orderData });
  const orderId = hashOrder({ order });
  put(quote, "protocol.v2.orderId", orderId);
  put(quote, "protocol.v2.orderSignature", await signOrder({ account, order }));
  for (const path of ["sign.value.id", "post.body.id"]) put(quote, `${authorizeData}.${path}`, orderId);
}

export const userOf = ({ alpha }: EmulatorFixture) => alpha.wallet(0).account.address.toLowerCase() as Hex;

/** Parameters of a quote: 25 dollars from the exchange to the recipient on beta. */
export function withdrawalOf(fixture: EmulatorFixture, changes: Partial<ExchangeWithdrawalParameters> = {}) {
  const { beta } = fixture;
  return exchangeWithdrawal({
    amount: withdrawn,
    destinationChainId: beta.info.id,
    destinationCurrency: beta.currency("USDC"),
    recipient,
    user: userOf(fixture),
    ...changes,
  });
}

/** An honest quote, and what proves it. */
export async function provable(
  fixture: EmulatorFixture,
  changes: Partial<ExchangeWithdrawalParameters> = {},
): Promise<VerifyWithdrawalParameters> {
  const request = withdrawalOf(fixture, changes);
  const quote = await getQuote(fixture.client, request);
  const trust = trustOfEmulator(fixture.emulator.info);
  const { now } = fixture.emulator.control.clock.read();
  return { chainId: fixture.alpha.info.id, minimumOutput: 24_000_000n, now, quote, request, trust };
}

/** Codes or the fault of a refusal. */
export async function refusal(parameters: VerifyWithdrawalParameters): Promise<string> {
  const error = (await failureOf(verifyWithdrawal(parameters))) as {
    code?: string;
    fault?: string;
    mismatches?: readonly { code: string }[];
  };
  return error.fault ?? (error.mismatches?.map(({ code }) => code) ?? [error.code]).join(" ");
}
