import * as entry from "../../../src/perps/index.ts";
import { readWithdrawal } from "../../../src/perps/readWithdrawal.ts";
import { markProven } from "../../../src/perps/Withdrawal.ts";
import { describeInvalidArguments } from "../../helpers/invalidArguments.ts";
import { bridgeQuote } from "../client/support/samples.ts";
import { account, now, orderId, sending, solver, withdrawalQuote } from "./support/withdrawal.ts";

const quote = withdrawalQuote();
const withdrawal = markProven(readWithdrawal({ now, quote }));
const verifiable = bridgeQuote(quote.steps as never);
const mapping = { chainId: 1, depositor: solver, nonce: BigInt(now), orderId, wallet: solver } as const;
const signature = `0x${"11".repeat(64)}1b` as const;
const parts = { r: orderId, s: orderId, v: 27 as const };
const action = entry.sendAssetTypedData({ parameters: sending }).message;
const fetch = async () => Response.json({ status: "ok", withdrawable: "1.5" });
const tokenId = "0x6d1e7cde53ba9467b783cb7c530ce054";
const market = { kind: "market", market: "xyz", tokenId } as const;
const intent = { amount: 1n, currency: market, recipient: solver, user: solver } as const;
/** The required members of an account: changes of the others would test nothing. */
const signer: entry.ExchangeSigner = { address: account.address, signTypedData: account.signTypedData };

describeInvalidArguments({
  checkExchangeNonce: [{ nonce: BigInt(now), now }, entry.checkExchangeNonce],
  decodeExchangeCurrency: [{ address: `${tokenId}78797a` }, entry.decodeExchangeCurrency],
  encodeExchangeCurrency: [{ currency: market }, entry.encodeExchangeCurrency],
  exchangeDeposit: [{ ...intent, originChainId: 1, originCurrency: solver }, entry.exchangeDeposit],
  exchangeWithdrawal: [
    { ...intent, destinationChainId: 1, destinationCurrency: solver },
    entry.exchangeWithdrawal,
  ],
  formatExchangeAmount: [{ amount: 10n ** 20n, decimals: 8 }, entry.formatExchangeAmount],
  getExchangeBalance: [
    { market: "xyz", url: entry.production.exchangeUrl, user: solver },
    (given: Pick<entry.GetExchangeBalanceParameters, "market" | "url" | "user">) =>
      entry.getExchangeBalance({ ...given, fetch }),
  ],
  nonceMappingBody: [mapping, entry.nonceMappingBody],
  nonceMappingTypedData: [mapping, entry.nonceMappingTypedData],
  parseExchangeAmount: [{ amount: "25.5", decimals: 8 }, entry.parseExchangeAmount],
  recoverNonceMappingSigner: [{ ...mapping, signature }, entry.recoverNonceMappingSigner],
  sendAssetTypedData: [{ chainId: 1, parameters: sending }, entry.sendAssetTypedData],
  signWithdrawal: [{ account: signer, withdrawal }, entry.signWithdrawal],
  splitExchangeSignature: [{ signature }, entry.splitExchangeSignature],
  submitExchangeAction: [
    { request: { action, nonce: sending.nonce, signature: parts }, url: entry.production.exchangeUrl },
    (given: Pick<entry.SubmitExchangeActionParameters, "request" | "url">) =>
      entry.submitExchangeAction({ ...given, fetch }),
  ],
  verifyWithdrawal: [
    {
      chainId: 1,
      decimals: 8,
      maximumFillSeconds: 60,
      minimumOutput: 1n,
      now,
      quote: verifiable,
      request: entry.exchangeWithdrawal({
        amount: 1n,
        destinationChainId: 1,
        destinationCurrency: solver,
        recipient: solver,
        user: solver,
      }),
      signedNonce: () => undefined,
      solverAccounts: [solver],
      trust: { chains: [], solvers: [solver] },
    },
    entry.verifyWithdrawal,
  ],
});
