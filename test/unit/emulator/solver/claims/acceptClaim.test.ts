import { expect } from "chai";
import type { Transaction } from "kysely";
import type { Hex } from "viem";
import type { Context } from "../../../../../emulator/context/Context.ts";
import {
  claimableBalances,
  securedAdvances,
} from "../../../../../emulator/quote/claims/claimableBalances.ts";
import { createClaim } from "../../../../../emulator/quote/claims/createClaim.ts";
import { createQuote } from "../../../../../emulator/quote/createQuote.ts";
import { acceptFastFill } from "../../../../../emulator/solver/advances/acceptFastFill.ts";
import { acceptClaim } from "../../../../../emulator/solver/claims/acceptClaim.ts";
import type { Tables } from "../../../../../emulator/store/tables.ts";
import type { Quote } from "../../../../../src/schema/quote/quote.ts";
import { forEachStore, openTwice } from "../../../../helpers/processes/stores.ts";
import { signQuote } from "../../../../helpers/quotes/permits.ts";
import { accounts, payer } from "../../support/liveChain.ts";
import { addRequest, idOf, readAll } from "../../support/requests.ts";
import { type PermitStage, startPermitStage } from "../relayed/support/permitStage.ts";

/** What the wallet has earned, in smallest units of USDC: less than a fast fill advances. */
const earned = 40_000_000n;
const apiKey = { id: "key" };
const recipient = "0x00000000000000000000000000000000000a11ce";

forEachStore("acceptClaim of two emulators over one database", (kind) => {
  let stage: PermitStage;
  let first: Context;
  let second: Context;
  before(async () => {
    const [one, other] = await openTwice(kind);
    stage = await startPermitStage(one.store);
    first = stage.context;
    second = { ...first, store: other.store };
  });
  after(() => stage?.close());
  beforeEach(async () => {
    await stage.reset();
    await first.store
      .insertInto("api_keys")
      .values({ ...apiKey, created_at: 1, is_elevated: 0, key: "secret", name: "test", revoked_at: null })
      .execute();
    // A request of the same key has earned the fees, which secure what the key owes.
    await addRequest(first.store, {
      api_key_id: apiKey.id,
      id: idOf(77),
      order_id: idOf(78),
      status: "success",
    });
    const place = {
      chain_id: stage.alpha.chain.definition.id,
      currency: stage.alpha.token("USDC").toLowerCase(),
    };
    await first.store
      .insertInto("app_fees")
      .values({
        ...place,
        amount: earned.toString(),
        at: 1,
        bps: 1,
        place: 0,
        recipient: wallet,
        request_id: idOf(77),
      })
      .execute();
  });

  const wallet = payer.toLowerCase();
  const balance = async () =>
    (await claimableBalances(wallet, first.store, first)).reduce((sum, { amount }) => sum + amount, 0n);

  /** Starts a claim of the whole balance. */
  async function startClaim(): Promise<{ requestId: string; signature: Hex }> {
    const { alpha } = stage;
    const terms = { chainId: alpha.chain.definition.id, currency: alpha.token("USDC"), recipient };
    const claim = (await createClaim(wallet, terms, first)) as unknown as Quote;
    const { account } = accounts.users[0] ?? accounts.deployer;
    return { requestId: claim.steps[0]?.requestId ?? "", signature: await signQuote(account, claim) };
  }
  /** Quotes a request that may be filled fast, and whose fees go to the wallet. */
  async function quoteFast(): Promise<string> {
    const { alpha } = stage;
    const beta = [...first.chains.values()].find((chain) => chain !== alpha.chain);
    const wanted = {
      amount: "50000000",
      appFees: [{ fee: "1", recipient: payer }],
      destinationChainId: beta?.definition.id ?? 0,
      destinationCurrency: alpha.token("USDC"),
      originChainId: alpha.chain.definition.id,
      originCurrency: alpha.token("USDC"),
      recipient,
      tradeType: "EXACT_INPUT" as const,
      user: payer,
    } satisfies Parameters<typeof createQuote>[0];
    const { quote } = await createQuote(wanted, first, apiKey);
    return quote.steps[0]?.requestId ?? "";
  }
  const isAccepted = (accepting: Promise<void>) =>
    accepting.then(
      () => true,
      (error: unknown) => {
        expect(error).to.have.property("name", "PermitRefusedError");
        return false;
      },
    );

  it("claims of the whole balance at both: one is accepted, and the balance is debited once", async () => {
    const claims = [await startClaim(), await startClaim(), await startClaim(), await startClaim()];
    const answers = await Promise.all(
      claims.map(({ requestId, signature }, index) =>
        isAccepted(acceptClaim(requestId, signature, index % 2 === 0 ? first : second)),
      ),
    );
    expect(answers.filter((each) => each)).to.have.length(1);
    const debits = await readAll(first.store, "app_fee_claims");
    expect(debits.map(({ amount }) => amount)).to.deep.equal([earned.toString()]);
    expect(await balance()).to.equal(0n);
  });

  /** The present state, once claim and fast fill have ended: the balance is claimed or kept for the advance, never both. */
  async function expectSpentOnce(isClaimed: boolean): Promise<void> {
    const claimed = (await readAll(first.store, "app_fee_claims")).map(({ amount }) => amount);
    expect(claimed).to.deep.equal(isClaimed ? [earned.toString()] : []);
    expect(await securedAdvances(wallet, first.store, first)).to.equal(isClaimed ? 0n : earned * 10n ** 12n);
    expect(await balance()).to.equal(0n);
  }
  /** A process that has read everything outside its transaction before some work, and writes after it. */
  function behind(context: Context, work: () => Promise<unknown>): Context {
    let done: Promise<unknown> | undefined;
    const transaction = () => {
      const execute = async (run: (transaction: Transaction<Tables>) => Promise<unknown>) => {
        done ??= work();
        await done;
        return context.store.transaction().execute(run);
      };
      return { execute };
    };
    const store = new Proxy(context.store, {
      get: (target, name) => {
        if (name === "transaction") return transaction;
        const value = Reflect.get(target, name, target);
        // Its methods read private fields.
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    return { ...context, store };
  }
  const fillFast = (requestId: string, context: Context) =>
    acceptFastFill({ requestId: requestId as Hex }, apiKey.id, context);

  it("a fast fill at the other between a claim's checks and its debit: the claim is refused", async () => {
    const { requestId, signature } = await startClaim();
    const filled = await quoteFast();
    const late = behind(first, () => fillFast(filled, second));
    expect(await isAccepted(acceptClaim(requestId, signature, late))).to.equal(false);
    await expectSpentOnce(false);
  });

  it("a claim at the other between a fast fill's checks and its advance: the balance is claimed, and secures nothing", async () => {
    const { requestId, signature } = await startClaim();
    const filled = await quoteFast();
    await fillFast(
      filled,
      behind(second, () => acceptClaim(requestId, signature, first)),
    );
    await expectSpentOnce(true);
  });

  it("a claim and a fast fill at once: the balance goes to the one that is recorded first", async () => {
    const { requestId, signature } = await startClaim();
    const filled = await quoteFast();
    const [isClaimed] = await Promise.all([
      isAccepted(acceptClaim(requestId, signature, first)),
      fillFast(filled, second),
    ]);
    const order = (await readAll(first.store, "events", "seq"))
      .map(({ trigger }) => trigger)
      .filter((trigger) => trigger === "claim-signed" || trigger === "fast-fill-begun");
    expect(order).to.deep.equal(isClaimed ? ["claim-signed", "fast-fill-begun"] : ["fast-fill-begun"]);
    await expectSpentOnce(isClaimed);
  });
});
