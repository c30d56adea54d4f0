import type { Address, Hex } from "viem";
import type { EmulatorInfo } from "../../emulator/index.ts";
import { authorize, getQuote, type Quote } from "../../src/client/index.ts";
import { perpsUsdcAddress } from "../../src/perps/constants.ts";
import { exchangeDeposit, exchangeWithdrawal } from "../../src/perps/quoteParameters.ts";
import { readWithdrawal } from "../../src/perps/readWithdrawal.ts";
import { type SendAssetAction, sendAssetTypedData } from "../../src/perps/sendAsset.ts";
import { signWithdrawal, splitExchangeSignature } from "../../src/perps/signWithdrawal.ts";
import { submitExchangeAction } from "../../src/perps/submitExchangeAction.ts";
import { markProven } from "../../src/perps/Withdrawal.ts";
import type { ExchangeRequest } from "../../src/schema/quote/exchangeAction.ts";
import type { EmulatorFixture } from "./emulatorFixture.ts";
import { failureOf } from "./failureOf.ts";
import { fresh, idOf } from "./requests/failureStage.ts";
import { type RequestHistory, reached } from "./requests/requestHistory.ts";

/** USDC of the perps account, 25 dollars. */
export const withdrawn = 2_500_000_000n;

/** An emulator with its exchange, in this process or in another one. */
export type ExchangeStage = Pick<EmulatorFixture, "alpha" | "beta" | "client"> & {
  readonly emulator: {
    readonly control: { readonly clock: { read(): { readonly now: number } } };
    readonly info: Pick<EmulatorInfo, "perps">;
  };
};

export const exchangeUrl = ({ emulator }: ExchangeStage) => emulator.info.perps?.apiUrl ?? "";

/** Balance on the exchange, in smallest units. */
export const exchangeBalance = (
  { emulator }: EmulatorFixture,
  account: Address,
  currency: string = perpsUsdcAddress,
) => emulator.control.balances.get({ account, chainId: 1337, currency });

/** A key of the first users that signs typed data. */
export function signer({ alpha }: ExchangeStage, index = 0) {
  const { account } = alpha.wallet(index);
  const { signTypedData } = account;
  if (signTypedData === undefined) throw new Error("the account cannot sign");
  return { address: account.address, signTypedData: signTypedData as (data: unknown) => Promise<Hex> };
}

/** Quotes a deposit of 10 USDC from alpha to a fresh account of the exchange. */
export async function depositQuote(
  fixture: ExchangeStage,
  overrides: Partial<Parameters<typeof exchangeDeposit>[0]> = {},
): Promise<Quote> {
  const { alpha, client } = fixture;
  const parameters = exchangeDeposit({
    amount: 10_000_000n,
    originChainId: alpha.info.id,
    originCurrency: alpha.currency("USDC"),
    recipient: fresh(),
    refundTo: overrides.user ?? alpha.wallet(0).account.address,
    user: alpha.wallet(0).account.address,
    ...overrides,
  });
  return getQuote(client, parameters);
}

/** Sends the transactions of a quote from alpha. */
export async function payOnAlpha({ alpha }: ExchangeStage, quote: Quote, index = 0): Promise<void> {
  for (const { items } of quote.steps) {
    for (const { data } of items) {
      const { data: calldata, to, value } = data as { data: Hex; to: Address; value: string };
      const hash = await alpha.wallet(index).sendTransaction({ data: calldata, to, value: BigInt(value) });
      await alpha.reader.waitForTransactionReceipt({ hash });
    }
  }
}

/** Quotes a withdrawal of 25 USDC of the perps account to a fresh account of beta. */
export async function withdrawalQuote(
  fixture: ExchangeStage,
  overrides: Partial<Parameters<typeof exchangeWithdrawal>[0]> = {},
): Promise<Quote> {
  const { alpha, beta, client } = fixture;
  const parameters = exchangeWithdrawal({
    amount: withdrawn,
    destinationChainId: beta.info.id,
    destinationCurrency: beta.currency("USDC"),
    recipient: fresh(),
    refundTo: overrides.user ?? alpha.wallet(0).account.address,
    user: alpha.wallet(0).account.address,
    ...overrides,
  });
  return getQuote(client, parameters);
}

/** The emulator's time, which the window of nonces follows. */
const nowOf = ({ emulator }: ExchangeStage) => emulator.control.clock.read().now;

/** Signs both parts of a withdrawal. */
export async function signQuote(fixture: ExchangeStage, quote: Quote, index = 0) {
  const account = signer(fixture, index);
  const withdrawal = readWithdrawal({ chainId: fixture.alpha.info.id, now: nowOf(fixture), quote });
  return signWithdrawal({ account, withdrawal: markProven(withdrawal) });
}

type SignedWithdrawal = Awaited<ReturnType<typeof signQuote>>;

export const postMapping = ({ client }: ExchangeStage, { body, signature }: SignedWithdrawal["authorize"]) =>
  authorize(client, { ...body, signature });

export const postAction = (fixture: ExchangeStage, request: ExchangeRequest) =>
  submitExchangeAction({ request, url: exchangeUrl(fixture) });

/** Carries out a withdrawal as a client does, and waits for its end. */
export async function withdraw(fixture: EmulatorFixture, quote: Quote): Promise<RequestHistory> {
  const signed = await signQuote(fixture, quote);
  await postMapping(fixture, signed.authorize);
  await postAction(fixture, signed.deposit);
  return ended(fixture, quote);
}

export const ended = ({ emulator }: EmulatorFixture, quote: Quote) =>
  reached(emulator, idOf(quote), "success", "refund", "failure");

/** Signs the transfer of a withdrawal's quote with some parameters changed. */
export async function signTransfer(
  fixture: ExchangeStage,
  quote: Quote,
  changes: Partial<SendAssetAction> = {},
  index = 0,
): Promise<ExchangeRequest> {
  const parameters = { ...readWithdrawal({ now: nowOf(fixture), quote }).deposit.parameters, ...changes };
  const typedData = sendAssetTypedData({ chainId: fixture.alpha.info.id, parameters });
  const signature = await signer(fixture, index).signTypedData(typedData);
  return {
    action: typedData.message,
    nonce: parameters.nonce,
    signature: splitExchangeSignature({ signature }),
  };
}

/** Withdraws by plain calls of `send`, after a statement that is refused. Returns the statuses of action, replayed action and balance. */
export async function callExchange(
  fixture: EmulatorFixture,
  send: (method: string, path: string, body: unknown) => Promise<number>,
): Promise<number[]> {
  const { authorize: mapping, deposit } = await signQuote(fixture, await withdrawalQuote(fixture));
  await postMapping(fixture, mapping);
  const foreign = { ...mapping, body: { ...mapping.body, nonce: Number(mapping.body.nonce) + 1 } };
  await failureOf(postMapping(fixture, foreign));
  const question = { type: "clearinghouseState", user: deposit.action.destination };
  const statuses = [];
  for (const body of [deposit, deposit]) statuses.push(await send("POST", "/perps/exchange", body));
  return [...statuses, await send("POST", "/perps/info", question)];
}
