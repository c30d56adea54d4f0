import { expect } from "chai";
import { type Address, erc20Abi, type Hex, maxUint256, zeroAddress } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import type { Quote } from "../../../src/client/index.ts";
import { openBooks } from "../../helpers/conservation/openBooks.ts";
import { openOtherBooks } from "../../helpers/conservation/otherBooks.ts";
import type { TestChain } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { isDocumented, useLedgers } from "../../helpers/ledgers.ts";
import {
  exchangeBalance,
  postAction,
  postMapping,
  signQuote,
  signTransfer,
  withdrawalQuote,
  withdrawn,
} from "../../helpers/perps.ts";
import { carryOut, fiftyDollars, quoteFor, sendAs } from "../../helpers/quotes/intents.ts";
import { newSponsor, recordOf } from "../../helpers/quotes/sponsors.ts";
import { addressOf, depositAddressStage } from "../../helpers/requests/depositAddressStage.ts";
import { deposit, ether, fresh, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { type RequestHistory, reached, requestsOf, until } from "../../helpers/requests/requestHistory.ts";
import {
  freshSvm,
  svmBalance,
  svmUsdc,
  svmUser,
  svmWithdrawal,
  transferToSolver,
} from "../../helpers/svm.ts";

const ends = ["success", "refund", "failure"] as const;
const tooLow = "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL";

describe("payments that are refused", () => {
  const fixture = useLedgers();
  const { pay, quoteAt } = depositAddressStage(fixture);
  const endOf = (quote: Quote): Promise<RequestHistory> => reached(fixture.emulator, idOf(quote), ...ends);

  /** Runs `act`, which names the accounts that it paid, and expects that no unit appeared or left the known accounts. */
  async function conserved(act: () => Promise<readonly string[]>): Promise<void> {
    const { alpha, beta, emulator } = fixture;
    const books = await Promise.all([alpha, beta].map((chain) => openBooks(chain, emulator.info.solver, [])));
    const others = await openOtherBooks(emulator.info);
    const accounts = await act();
    const own = accounts.filter((each) => each.startsWith("0x")) as Address[];
    const closed = await Promise.all(books.map((each) => each.close(own)));
    expect([...closed.flatMap(({ problems }) => problems), ...(await others.close(accounts))]).to.deep.equal(
      [],
    );
  }

  /** A payment of a quote that may be less by some units, and where its money goes. */
  type Way = {
    quote(terms: { readonly recipient: Address; readonly refundTo: string }): Promise<Quote>;
    send(quote: Quote, less: bigint): Promise<unknown>;
    /** Balances of the payer's currency at `refundTo`, and of the output at the recipient. */
    held(accounts: {
      readonly recipient: Address;
      readonly refundTo: string;
    }): Promise<readonly [bigint, bigint]>;
    readonly paid: bigint;
    readonly newAccount: () => Promise<string>;
  };

  const onEvm = (symbol: "ETH" | "USDC"): Pick<Way, "held" | "newAccount"> => ({
    held: async ({ recipient, refundTo }) => [
      await fixture.alpha.balanceOf(fixture.alpha.currency(symbol), refundTo as Address),
      await fixture.beta.balanceOf(fixture.beta.currency(symbol), recipient),
    ],
    newAccount: async () => fresh(),
  });
  const usdcOnBeta = (recipient: Address) => fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient);

  const ways: Readonly<Record<string, Way>> = {
    "ether at the depository": {
      ...onEvm("ETH"),
      paid: ether,
      quote: (terms) => quoteOf(fixture, terms),
      send: (quote, less) => deposit(fixture, orderIdOf(quote), ether - less),
    },
    "a token at the depository": {
      ...onEvm("USDC"),
      paid: fiftyDollars("USDC"),
      quote: (terms) => quoteFor(fixture, { from: "USDC", to: "USDC", ...terms }),
      send: (quote, less) => depositTokens(orderIdOf(quote), fiftyDollars("USDC") - less),
    },
    "ether at a strict deposit address": {
      ...onEvm("ETH"),
      paid: fiftyDollars("ETH"),
      quote: (terms) => quoteAt({ from: "ETH", strict: true, to: "ETH", ...terms }),
      send: (quote, less) => pay(addressOf(quote), "ETH", fiftyDollars("ETH") - less),
    },
    "a token of the SVM chain": {
      held: async ({ recipient, refundTo }) => [
        await svmBalance(fixture, refundTo, svmUsdc.address),
        await usdcOnBeta(recipient),
      ],
      newAccount: freshSvm,
      paid: 25_000_000n,
      quote: (terms) => svmWithdrawal(fixture, terms),
      send: async (quote, less) =>
        transferToSolver(fixture, {
          amount: 25_000_000n - less,
          currency: svmUsdc,
          from: await svmUser(),
          memo: orderIdOf(quote),
        }),
    },
    "USDC of the perps exchange": {
      held: async ({ recipient, refundTo }) => [
        await exchangeBalance(fixture, refundTo as Address),
        await usdcOnBeta(recipient),
      ],
      newAccount: async () => fresh(),
      paid: withdrawn,
      quote: ({ recipient, refundTo }) =>
        withdrawalQuote(fixture, { recipient, refundTo: refundTo as Address }),
      send: async (quote, less) => {
        const signed = await signQuote(fixture, quote);
        await postMapping(fixture, signed.authorize);
        const amount = less === 0n ? "25" : "24.99999999";
        await postAction(fixture, await signTransfer(fixture, quote, { amount }));
      },
    },
  };

  async function depositTokens(id: Hex, amount: bigint, payer = 0): Promise<Hex> {
    const { alpha } = fixture;
    const { depository } = alpha.info.contracts;
    await sendAs(alpha, payer, {
      data: erc20Data("approve", depository, maxUint256),
      to: alpha.currency("USDC"),
    });
    const hash = await alpha.wallet(payer).writeContract({
      abi: relayDepositoryAbi,
      address: depository,
      args: [alpha.wallet(payer).account.address, alpha.currency("USDC"), amount, id],
      functionName: "depositErc20",
    });
    await alpha.reader.waitForTransactionReceipt({ hash });
    return hash;
  }

  for (const [what, way] of Object.entries(ways)) {
    it(`one unit below the quoted amount of ${what}: is refunded with its code; the quoted amount is filled to the unit`, () =>
      conserved(async () => {
        const accounts: string[] = [];
        for (const less of [1n, 0n]) {
          const terms = { recipient: fresh(), refundTo: await way.newAccount() };
          accounts.push(terms.recipient, terms.refundTo);
          const quote = await way.quote(terms);
          if (quote.steps[0]?.depositAddress) accounts.push(quote.steps[0].depositAddress);
          await way.send(quote, less);
          const { failReason, status } = await endOf(quote);
          const [back, delivered] = await way.held(terms);
          if (less === 0n) {
            expect([status, failReason, back], what).to.deep.equal(["success", null, 0n]);
            expect(delivered).to.equal(BigInt(quote.details.currencyOut.amount));
            continue;
          }
          expect([status, failReason, delivered], what).to.deep.equal(["refund", tooLow, 0n]);
          expect(isDocumented(tooLow)).to.equal(true);
          const { data } = await recordOf(fixture.emulator, quote, "v3");
          const { amount } = data["refundCurrencyData"] as unknown as { amount: string };
          expect(back.toString()).to.equal(amount);
          expect(back > 0n && back < way.paid).to.equal(true);
        }
        return accounts;
      }));
  }

  /** A second payment with the id of an earlier one, and the account that its refund is for. */
  type Reuse = {
    send(id: Hex): Promise<Hex>;
    readonly currency?: "USDC";
    readonly onBeta?: true;
    readonly to: "refundTo" | "its depositor";
  };
  const reuses: Readonly<Record<string, Reuse>> = {
    "another depositor": {
      send: (id) => deposit(fixture, id, ether, { payer: 3 }),
      to: "its depositor",
    },
    "its depositor": { send: (id) => deposit(fixture, id), to: "refundTo" },
    "its depositor, in another currency": {
      currency: "USDC",
      send: (id) => depositTokens(id, fiftyDollars("USDC")),
      to: "refundTo",
    },
    "its depositor, on the destination chain": {
      onBeta: true,
      send: (id) => deposit(fixture, id, ether, { chain: fixture.beta }),
      to: "its depositor",
    },
    "its depositor, with less": { send: (id) => deposit(fixture, id, ether / 2n), to: "refundTo" },
  };

  /** Gain of an account since a block. */
  async function gainedSince(chain: TestChain, currency: Address, account: Address, blockNumber: bigint) {
    const balanceAt = (at: { readonly blockNumber?: bigint }) =>
      currency === zeroAddress
        ? chain.reader.getBalance({ address: account, ...at })
        : chain.reader.readContract({
            ...{ abi: erc20Abi, address: currency, args: [account], functionName: "balanceOf", ...at },
          } as const);
    return (await balanceAt({})) - (await balanceAt({ blockNumber }));
  }

  /** The refund of a payment that opened a request of its own. */
  async function refundOf(hash: Hex) {
    const { requestId } = await until(async () => {
      const found = await requestsOf(fixture.emulator, hash);
      return found.find(({ status }) => status === "refund");
    }, "the refund of the second payment");
    const { failReason } = await reached(fixture.emulator, requestId, "refund");
    const { data } = await recordOf(fixture.emulator, { steps: [{ requestId }] } as unknown as Quote, "v3");
    const { amount } = data["refundCurrencyData"] as unknown as { amount: string };
    return { amount: BigInt(amount), failReason };
  }

  for (const [first, end] of [
    ["filled", "success"],
    ["refunded", "refund"],
  ] as const) {
    for (const [who, { currency = "ETH", onBeta, send, to }] of Object.entries(reuses)) {
      it(`the id of a ${first} deposit, used again by ${who}: is refunded with DOUBLE_SPEND, and nothing is filled again`, () =>
        conserved(async () => {
          const terms = { recipient: fresh(), refundTo: fresh() };
          const quote = await quoteOf(fixture, terms);
          await deposit(fixture, orderIdOf(quote), end === "success" ? ether : ether - 1n);
          expect((await endOf(quote)).status).to.equal(end);
          const delivered = await fixture.beta.balanceOf(zeroAddress, terms.recipient);
          const chain = onBeta ? fixture.beta : fixture.alpha;
          const hash = await send(orderIdOf(quote));
          const { blockNumber, from } = await chain.reader.getTransactionReceipt({ hash });
          const { amount, failReason } = await refundOf(hash);
          expect(failReason).to.equal("DOUBLE_SPEND");
          expect(isDocumented("DOUBLE_SPEND")).to.equal(true);
          const payee = to === "refundTo" ? terms.refundTo : from;
          expect(await gainedSince(chain, chain.currency(currency), payee, blockNumber)).to.equal(amount);
          expect(await fixture.beta.balanceOf(zeroAddress, terms.recipient)).to.equal(delivered);
          const { deposits, status } = await endOf(quote);
          expect([status, deposits.length]).to.deep.equal([end, 1]);
          return [terms.recipient, terms.refundTo];
        }));
    }
  }

  it("a sponsor without money: the deposit is refunded with SPONSOR_BALANCE_TOO_LOW, and the sponsor stays uncharged", () =>
    conserved(async () => {
      const { as, id } = await newSponsor(fixture, 0n);
      const terms = { recipient: fresh(), refundTo: fresh() };
      const wanted = { from: "USDC", subsidizeFees: true, to: "USDC", topupGas: true, ...terms } as const;
      const quote = await quoteFor(as, wanted);
      const failed = await failureOf(carryOut(as, quote));
      expect(failed).to.include({ code: "REQUEST_REFUNDED" });
      const { failReason, transactions } = await endOf(quote);
      expect([failReason, transactions.length]).to.deep.equal(["SPONSOR_BALANCE_TOO_LOW", 1]);
      expect(isDocumented("SPONSOR_BALANCE_TOO_LOW")).to.equal(true);
      const [back, delivered] = await onEvm("USDC").held(terms);
      expect([delivered, await fixture.beta.balanceOf(zeroAddress, terms.recipient)]).to.deep.equal([0n, 0n]);
      expect(back > 0n && back < fiftyDollars("USDC")).to.equal(true);
      expect(await fixture.emulator.control.sponsors.get(id)).to.equal(0n);
      expect(await fixture.emulator.control.sponsors.entries(id)).to.have.length(1);
      return [terms.recipient, terms.refundTo];
    }));
});
