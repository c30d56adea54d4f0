import { type Address, parseEther, parseUnits } from "viem";
import type { GetQuoteParameters } from "../../../src/client/index.ts";
import { exchangeChainId, perpsUsdcAddress } from "../../../src/perps/constants.ts";
import { encodeSvmAddress } from "../../../src/svm/address.ts";
import { purseOf } from "../conservation/purses.ts";
import { erc20Data } from "../erc20Data.ts";
import type { Draws } from "../seededDraws.ts";
import { svmTokenOf, svmUser } from "../svm.ts";
import type { Payer, User } from "./Payment.ts";
import { type OtherLedger, type PaymentKind, type PaymentPlan, paymentPlans } from "./paymentPlans.ts";

export const ether = parseEther("0.01");
export const dollars = parseUnits("25", 6);
/** Whole tokens of the SVM chain. */
const tokens = 25n;
const svmChainId = 792703809;
/** The same 25 dollars on the exchange. */
export const exchangeDollars = parseUnits("25", 8);
/** Users of the SVM chain. */
const svmUsers = 3;

/** The payer's account on the SVM chain. */
export const svmPayer = ({ index }: Pick<Payer, "index">) => svmUser(index % svmUsers);

let purses = 0;
/** Accounts without native currency, one for each payment of a payer. */
export const newPurse = () => purseOf(purses++);

type Accounts = { readonly recipient: Address; readonly refundTo: Address };

/** The quote of a kind of payment, with accounts in the forms of its ledgers. */
export async function drawIntent(
  kind: PaymentKind,
  payer: Payer & Pick<User, "purse">,
  accounts: Accounts,
  draws: Draws,
): Promise<GetQuoteParameters> {
  const plan: PaymentPlan = paymentPlans[kind];
  const { from, hasCall, isSameChain, isSigned, payIn, payOut, terms, to, tradeType = "EXACT_INPUT" } = plan;
  const { svmToken } = plan;
  const { destination, index, origin } = payer;
  const target = isSameChain ? origin : destination;
  const { recipient, refundTo } = accounts;
  const [input, output] = [placeOf(payIn, svmToken), placeOf(payOut, svmToken)];
  const isExchange = payIn === "exchange";
  const fixed = tradeType === "EXACT_INPUT" ? payIn : payOut;
  return {
    amount:
      fixed === "exchange"
        ? exchangeDollars
        : fixed === "svm"
          ? tokens * 10n ** BigInt(svmTokenOf(svmToken ?? "USDC").decimals)
          : (tradeType === "EXACT_INPUT" ? from : to) === "ETH"
            ? ether
            : dollars,
    destinationChainId: output?.chainId ?? target.info.id,
    destinationCurrency: output?.currency ?? target.currency(to),
    originChainId: input?.chainId ?? origin.info.id,
    originCurrency: input?.currency ?? origin.currency(from),
    recipient: accountOn(payOut, recipient, draws),
    refundTo: accountOn(payIn, refundTo, draws),
    tradeType,
    user: payIn === "svm" ? (await svmPayer(payer)).address : origin.wallet(index).account.address,
    ...(hasCall && {
      txs: [{ data: erc20Data("transfer", recipient, dollars), to: target.currency(to), value: 0n }],
    }),
    ...(isExchange && { protocolVersion: "v2" }),
    ...(isSigned && { usePermit: true }),
    ...(kind === "gasless" && { originGasOverhead: 100_000, user: payer.purse.address }),
    ...(kind === "fees claimed" && { appFees: [{ fee: "1000", recipient: payer.purse.address }] }),
    ...(kind === "by plain transfer, recovered" && { recoveryAddress: draws.address() }),
    ...terms,
  };
}

function placeOf(ledger: OtherLedger | undefined, svmToken = "USDC") {
  if (ledger === "exchange") return { chainId: exchangeChainId, currency: perpsUsdcAddress };
  if (ledger === "svm") return { chainId: svmChainId, currency: svmTokenOf(svmToken).address };
  return undefined;
}

/** An account that was not drawn before, in the form of its ledger. */
function accountOn(ledger: OtherLedger | undefined, account: Address, draws: Draws): string {
  return ledger === "svm" ? encodeSvmAddress({ bytes: draws.bytes32() }) : account;
}
