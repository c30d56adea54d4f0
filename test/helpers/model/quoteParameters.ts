import { pbkdf2Sync } from "node:crypto";
import { type Address, bytesToHex, parseEther, parseUnits } from "viem";
import { HDKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { testMnemonic } from "../../../emulator/chains/accounts.ts";
import type { GetQuoteParameters } from "../../../src/client/index.ts";
import { exchangeChainId, perpsUsdcAddress } from "../../../src/perps/constants.ts";
import { encodeSvmAddress } from "../../../src/svm/address.ts";
import { erc20Data } from "../erc20Data.ts";
import type { TestSymbol } from "../quotes/intents.ts";
import type { Draws } from "../seededDraws.ts";
import { svmTokenOf, svmUser } from "../svm.ts";
import type { Payer, User } from "./Payment.ts";
import type { OtherLedger, PaymentKind, PaymentPlan } from "./paymentKinds.ts";

/** The usual payment of 25 dollars. */
export const ether = parseEther("0.01");
export const dollars = parseUnits("25", 6);
export const exchangeDollars = parseUnits("25", 8);
/** Whole tokens of the SVM chain. */
const tokens = 25n;
const svmChainId = 792703809;
/** Users of the SVM chain. */
const svmUsers = 3;

/** The payer's account on the SVM chain. */
export const svmPayer = ({ index }: Pick<Payer, "index">) => svmUser(index % svmUsers);

/** Index far above those of the emulator's accounts. */
let purses = 10_000;
const parent = HDKey.fromMasterSeed(pbkdf2Sync(testMnemonic, "mnemonic", 2048, 64, "sha512")).derive(
  "m/44'/60'/0'/0",
);

/** An account without native currency, for one payment. */
export function newPurse(): PrivateKeyAccount {
  const { privateKey } = parent.deriveChild(purses++);
  if (privateKey === null) throw new Error("a derived key has no private part");
  return privateKeyToAccount(bytesToHex(privateKey));
}

/** Cents of a currency of EVM chains in smallest units, with digits down to the last one. */
function unitsOf(symbol: TestSymbol, cents: number): bigint {
  const usual = symbol === "ETH" || symbol === "WETH" ? ether : dollars;
  return (usual * BigInt(cents)) / 2_500n + BigInt(cents % 100);
}

/** The quote of a kind of payment, with accounts in the forms of its ledgers. */
export async function quoteParameters(
  kind: PaymentKind,
  plan: PaymentPlan,
  payer: Payer & Pick<User, "purse">,
  accounts: { readonly recipient: Address; readonly refundTo: Address },
  draws: Draws,
): Promise<GetQuoteParameters> {
  const { cents = 2_500, from, hasCall, isSameChain, isSigned, payIn, payOut, terms, to } = plan;
  const { svmToken = "USDC", tradeType = "EXACT_INPUT" } = plan;
  const { destination, index, origin } = payer;
  const target = isSameChain ? origin : destination;
  const { recipient, refundTo } = accounts;
  const [input, output] = [placeOf(payIn, svmToken), placeOf(payOut, svmToken)];
  const isExactInput = tradeType === "EXACT_INPUT";
  const fixed = isExactInput ? payIn : payOut;
  const amounts = {
    evm: unitsOf(isExactInput ? from : to, cents),
    exchange: exchangeDollars,
    svm: tokens * 10n ** BigInt(svmTokenOf(svmToken).decimals),
  };
  return {
    amount: amounts[fixed ?? "evm"],
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
    ...(payIn === "exchange" && { protocolVersion: "v2" }),
    ...(isSigned && { usePermit: true }),
    ...(kind === "gasless" && { originGasOverhead: 100_000, user: payer.purse.address }),
    ...(kind === "fees claimed" && { appFees: [{ fee: "1000", recipient: payer.purse.address }] }),
    ...(kind === "by plain transfer, recovered" && { recoveryAddress: draws.address() }),
    ...terms,
  };
}

function placeOf(ledger: OtherLedger | undefined, svmToken: string) {
  if (ledger === "exchange") return { chainId: exchangeChainId, currency: perpsUsdcAddress };
  if (ledger === "svm") return { chainId: svmChainId, currency: svmTokenOf(svmToken).address };
  return undefined;
}

/** An account that was not drawn before, in the form of its ledger. */
function accountOn(ledger: OtherLedger | undefined, account: Address, draws: Draws): string {
  return ledger === "svm" ? encodeSvmAddress({ bytes: draws.bytes32() }) : account;
}
