import type { Address } from "viem";
import { authorize, type Client, getQuote, type Quote, waitForRequest } from "waybill/client";
import {
  type ExchangeSigner,
  exchangeWithdrawal,
  formatExchangeAmount,
  getExchangeBalance,
  signWithdrawal,
  submitExchangeAction,
  type TrustRoots,
  verifyWithdrawal,
} from "waybill/perps";

export type WithdrawParameters = {
  account: ExchangeSigner;
  /** USDC of the perps account; it has 8 decimals. */
  amount: bigint;
  destinationChainId: number;
  currency: Address;
  /** `production.exchangeUrl`, or that of an emulator. */
  exchangeUrl: string;
  /** The least that may arrive, in smallest units of `currency`. */
  minimumOutput: bigint;
  /** `productionTrust`, or `trustOfEmulator(info)`. Never from the service's answer. */
  trust: TrustRoots;
};

/** Withdraws from the exchange and waits until the money has arrived. The account only signs: it needs no gas. */
export async function withdraw(client: Client, parameters: WithdrawParameters): Promise<Quote> {
  const { account, amount, currency, destinationChainId, exchangeUrl, minimumOutput, trust } = parameters;
  const { withdrawable } = await getExchangeBalance({ url: exchangeUrl, user: account.address });
  if (withdrawable < amount) {
    throw new Error(`Only ${formatExchangeAmount({ amount: withdrawable })} USDC can be withdrawn.`);
  }
  const request = exchangeWithdrawal({
    amount,
    destinationChainId,
    destinationCurrency: currency,
    recipient: account.address,
    refundTo: account.address,
    user: account.address,
  });
  const quote = await getQuote(client, request);
  // Proves what arrives and what leaves, before the first signature.
  const withdrawal = await verifyWithdrawal({
    chainId: destinationChainId,
    minimumOutput,
    now: client.now(),
    quote,
    request,
    trust,
  });
  const signed = await signWithdrawal({ account, withdrawal });

  // The first signature says what the transfer pays for. The second one is the transfer, which the exchange executes once.
  await authorize(client, { ...signed.authorize.body, signature: signed.authorize.signature });
  await submitExchangeAction({ request: signed.deposit, url: exchangeUrl });
  await waitForRequest(client, { requestId: quote.steps[0]?.requestId ?? "", timeout: 120_000 });
  return quote;
}
