import { expect } from "chai";
import { type Address, parseEther, zeroAddress } from "viem";
import type { Store } from "../../../emulator/store/tables.ts";

import { getStatus, type Quote } from "../../../src/client/index.ts";
import {
  depositQuote,
  type ExchangeStage,
  payOnAlpha,
  postAction,
  postMapping,
  signQuote,
  withdrawalQuote,
  withdrawn,
} from "../../helpers/perps.ts";
import { forEachStore } from "../../helpers/processes/stores.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";
import { until } from "../../helpers/requests/requestHistory.ts";
import { startMs, useSharedEmulators } from "../database/sharedEmulators.ts";

/** A lease, and the work after its expiry, in milliseconds. */
const takeoverMs = 40_000;
const spotEther = "0xe1edd30daaf5caac3fe63569e24748da";

/** A quote of either direction, with the account that receives its output. */
type Passage = { readonly quote: Quote; readonly recipient: Address; readonly payer: number };

forEachStore("the perps exchange of two emulators over one database", (kind) => {
  if (!kind.isShared) return;
  const shared = useSharedEmulators(kind, "--perps");
  const { admin, chains, clientOf, databaseUrl, infos, spawned } = shared;

  const stageOf = (index: number): ExchangeStage => {
    const [alpha, beta] = chains();
    const control = { clock: { read: () => ({ now: Date.now() }) } };
    return { alpha, beta, client: clientOf(index), emulator: { control, info: infos[index % 2] ?? {} } };
  };

  /** Quotes withdrawals of USDC by the users, at both emulators in turn. */
  async function withdrawals(count: number): Promise<readonly Passage[]> {
    const passages: Passage[] = [];
    for (let index = 0; index < count; index++) {
      const recipient = fresh();
      const payer = index % 4;
      const stage = stageOf(index);
      const user = stage.alpha.wallet(payer).account.address;
      const amount = withdrawn + BigInt(index) * 1_000_000n;
      passages.push({ payer, quote: await withdrawalQuote(stage, { amount, recipient, user }), recipient });
    }
    return passages;
  }

  /** Quotes deposits of ether into spot ether by the users, at both emulators in turn. */
  async function deposits(count: number): Promise<readonly Passage[]> {
    const passages: Passage[] = [];
    for (let index = 0; index < count; index++) {
      const recipient = fresh();
      const payer = 4 + (index % 4);
      const stage = stageOf(index);
      const quote = await depositQuote(stage, {
        amount: parseEther("1") + BigInt(index) * 10n ** 9n,
        currency: { kind: "spot", tokenId: spotEther },
        originCurrency: zeroAddress,
        recipient,
        user: stage.alpha.wallet(payer).account.address,
      });
      passages.push({ payer, quote, recipient });
    }
    return passages;
  }

  /** Pays for deposits: each user one at a time. */
  const payDeposits = (passages: readonly Passage[]) =>
    Promise.all(
      [...Map.groupBy(passages, ({ payer }) => payer)].map(async ([payer, own]) => {
        for (const { quote } of own) await payOnAlpha(stageOf(0), quote, payer);
      }),
    );

  /** Posts both parts of a withdrawal to both emulators at once. Resolves with the number of accepted actions. */
  async function post({ payer, quote }: Passage): Promise<number> {
    const { authorize, deposit } = await signQuote(stageOf(1), quote, payer);
    const both = [0, 1].map(stageOf);
    const mapped = await Promise.allSettled(both.map((stage) => postMapping(stage, authorize)));
    const acted = await Promise.allSettled(both.map((stage) => postAction(stage, deposit)));
    const accepted = (results: readonly PromiseSettledResult<unknown>[]) =>
      results.filter(({ status }) => status === "fulfilled").length;
    expect(accepted(mapped)).to.be.greaterThan(0);
    return accepted(acted);
  }

  /** Expects that each request ends with one fill and that its recipient has exactly the quoted amount. */
  async function expectFilledOnce(
    passages: readonly Passage[],
    arrived: (recipient: Address) => Promise<bigint>,
  ): Promise<void> {
    for (const { quote, recipient } of passages) {
      await until(
        async () => {
          const { status } = await getStatus(clientOf(1), { requestId: idOf(quote) });
          return status === "success" ? status : undefined;
        },
        `the fill of ${idOf(quote)}`,
        takeoverMs,
      );
      const history = (await admin(1, "GET", `/requests/${idOf(quote)}/events`)) as {
        readonly children: readonly unknown[];
        readonly deposits: readonly { readonly outcome: string }[];
        readonly transactions: readonly { readonly kind: string }[];
      };
      expect(history.deposits.map(({ outcome }) => outcome)).to.deep.equal(["accepted"]);
      expect(history.transactions.map(({ kind: made }) => made)).to.deep.equal(["fill"]);
      expect(history.children).to.deep.equal([]);
      expect(await arrived(recipient)).to.equal(BigInt(quote.details.currencyOut.amount));
    }
  }

  const onBeta = (recipient: Address) => {
    const [, beta] = chains();
    return beta.balanceOf(beta.currency("USDC"), recipient);
  };
  const onExchange = (store: Store) => async (recipient: Address) => {
    const row = store.selectFrom("exchange_balances").select("amount").where("currency", "=", spotEther);
    const { amount } = await row.where("account", "=", recipient.toLowerCase()).executeTakeFirstOrThrow();
    return BigInt(amount);
  };

  /** Sums of all balances on the exchange, by currency. */
  async function sums(store: Store): Promise<Record<string, bigint>> {
    const total: Record<string, bigint> = {};
    for (const { amount, currency } of await store.selectFrom("exchange_balances").selectAll().execute()) {
      total[currency] = (total[currency] ?? 0n) + BigInt(amount);
    }
    return total;
  }

  /** Signers and nonces of the executed actions, by height. */
  const actions = (store: Store) =>
    store.selectFrom("exchange_actions").select(["id", "account", "error", "hash"]).orderBy("id").execute();

  it("a process is killed among them: the other ends all requests once, to the unit", async function () {
    this.timeout(2 * startMs);
    const { store } = await kind.open(databaseUrl());
    const before = await sums(store);
    const [out, into] = [await withdrawals(16), await deposits(16)];
    const posting = out.map(post);
    const paying = payDeposits(into);
    await Promise.race(posting);
    spawned[0]?.child.kill("SIGKILL");
    await Promise.all([...posting, paying]);
    await expectFilledOnce(out, onBeta);
    await expectFilledOnce(into, onExchange(store));
    expect(await sums(store)).to.deep.equal(before);
    const hashes = (await actions(store)).map(({ hash }) => hash);
    expect(new Set(hashes).size).to.equal(32);
  });
});
