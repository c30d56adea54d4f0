import { type Address, type Hex, maxUint256 } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import type { Quote } from "../../../src/client/index.ts";
import type { TestChain } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import type { LedgersFixture } from "../../helpers/ledgers.ts";
import {
  exchangeBalance,
  postAction,
  postMapping,
  signQuote,
  signTransfer,
  withdrawalQuote,
  withdrawn,
} from "../../helpers/perps.ts";
import { fiftyDollars, quoteFor, sendAs } from "../../helpers/quotes/intents.ts";
import { addressOf, depositAddressStage } from "../../helpers/requests/depositAddressStage.ts";
import { deposit, ether, fresh, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import {
  freshSvm,
  sol,
  svmBalance,
  svmUsdc,
  svmUser,
  svmWithdrawal,
  transferToSolver,
} from "../../helpers/svm.ts";

/** Fresh accounts of a payment, one on each side. */
export type Accounts = { readonly recipient: Address; readonly refundTo: string };

/** A way to pay for a quote. */
export type Way = {
  quote(accounts: Accounts): Promise<Quote>;
  /** Pays by some units less than quoted, under the quote's id or another one. */
  pay(quote: Quote, less?: bigint): Promise<unknown>;
  /** The id of a payment is its nonce, which cannot be used again. */
  readonly paysOnce?: true;
  /** Quoted payment, in units of its currency. */
  readonly paid: bigint;
  /** Balance of the paid currency. */
  held(account: string): Promise<bigint>;
  /** Currency that the recipient receives on beta. */
  readonly output: "ETH" | "USDC";
  newAccount(): Promise<string>;
};

/** Deposits USDC in alpha's depository under an id. */
async function depositTokens({ alpha }: { alpha: TestChain }, id: Hex, amount: bigint): Promise<Hex> {
  const { depository } = alpha.info.contracts;
  const token = alpha.currency("USDC");
  await sendAs(alpha, 0, { data: erc20Data("approve", depository, maxUint256), to: token });
  const hash = await alpha.wallet(0).writeContract({
    abi: relayDepositoryAbi,
    address: depository,
    args: [alpha.wallet(0).account.address, token, amount, id],
    functionName: "depositErc20",
  });
  await alpha.reader.waitForTransactionReceipt({ hash });
  return hash;
}

/** Every way to pay whose amount the payer chooses. */
export function waysToPay(fixture: LedgersFixture): Readonly<Record<string, Way>> {
  const stage = depositAddressStage(fixture);
  const onAlpha = (symbol: "ETH" | "USDC") => ({
    held: (account: string) => fixture.alpha.balanceOf(fixture.alpha.currency(symbol), account as Address),
    newAccount: async () => fresh(),
    output: symbol,
  });
  const atAddress = (symbol: "ETH" | "USDC"): Way => ({
    ...onAlpha(symbol),
    paid: fiftyDollars(symbol),
    pay: (quote, less = 0n) => stage.pay(addressOf(quote), symbol, fiftyDollars(symbol) - less),
    quote: (accounts) =>
      stage.quoteAt({
        from: symbol,
        strict: true,
        to: symbol,
        ...(accounts as Accounts & { refundTo: Hex }),
      }),
  });
  const tokens = { from: "USDC", to: "USDC" } as const;
  const evm = (accounts: Accounts) => accounts as Accounts & { readonly refundTo: Hex };
  return {
    "ether at the depository": {
      ...onAlpha("ETH"),
      paid: ether,
      pay: (quote, less = 0n) => deposit(fixture, orderIdOf(quote), ether - less),
      quote: (accounts) => quoteOf(fixture, evm(accounts)),
    },
    "a token at the depository": {
      ...onAlpha("USDC"),
      paid: fiftyDollars("USDC"),
      pay: (quote, less = 0n) => depositTokens(fixture, orderIdOf(quote), fiftyDollars("USDC") - less),
      quote: (accounts) => quoteFor(fixture, { ...tokens, ...evm(accounts) }),
    },
    "a token transferred to the depository": {
      ...onAlpha("USDC"),
      paid: fiftyDollars("USDC"),
      pay: (quote, less = 0n) => {
        const { contracts } = fixture.alpha.info;
        const amount = fiftyDollars("USDC") - less;
        const transfer = erc20Data("transfer", contracts.depository, amount);
        const data: Hex = `${transfer}${orderIdOf(quote).slice(2)}`;
        return sendAs(fixture.alpha, 0, { data, to: fixture.alpha.currency("USDC") });
      },
      quote: (accounts) => quoteFor(fixture, { ...tokens, ...evm(accounts), explicitDeposit: false }),
    },
    "ether to the solver": {
      ...onAlpha("ETH"),
      paid: ether,
      pay: (quote, less = 0n) =>
        sendAs(fixture.alpha, 0, {
          data: idOf(quote),
          to: fixture.emulator.info.solver,
          value: ether - less,
        }),
      quote: (accounts) => quoteOf(fixture, { ...evm(accounts), protocolVersion: "v1" }),
    },
    "ether at a strict deposit address": atAddress("ETH"),
    "a token at a strict deposit address": atAddress("USDC"),
    "a token of the SVM chain": {
      held: (account) => svmBalance(fixture, account, svmUsdc.address),
      newAccount: freshSvm,
      output: "USDC",
      paid: 25_000_000n,
      pay: async (quote, less = 0n) => {
        const [amount, from] = [25_000_000n - less, await svmUser()];
        return transferToSolver(fixture, { amount, currency: svmUsdc, from, memo: orderIdOf(quote) });
      },
      quote: (accounts) => svmWithdrawal(fixture, accounts),
    },
    "lamports of the SVM chain": {
      held: (account) => svmBalance(fixture, account),
      newAccount: freshSvm,
      output: "ETH",
      paid: 2_000_000_000n,
      pay: async (quote, less = 0n) => {
        const [amount, from] = [2_000_000_000n - less, await svmUser()];
        return transferToSolver(fixture, { amount, currency: sol, from, memo: orderIdOf(quote) });
      },
      quote: (accounts) =>
        svmWithdrawal(fixture, {
          ...accounts,
          amount: "2000000000",
          destinationCurrency: fixture.beta.currency("ETH"),
          originCurrency: sol.address,
        }),
    },
    "USDC of the perps exchange": {
      held: (account) => exchangeBalance(fixture, account as Address),
      newAccount: async () => fresh(),
      output: "USDC",
      paid: withdrawn,
      paysOnce: true,
      pay: async (quote, less = 0n) => {
        const signed = await signQuote(fixture, quote);
        await postMapping(fixture, signed.authorize);
        const units = withdrawn - less;
        const amount = `${units / 10n ** 8n}.${`${units % 10n ** 8n}`.padStart(8, "0")}`;
        return postAction(
          fixture,
          less === 0n ? signed.deposit : await signTransfer(fixture, quote, { amount }),
        );
      },
      quote: (accounts) => withdrawalQuote(fixture, evm(accounts)),
    },
  };
}
