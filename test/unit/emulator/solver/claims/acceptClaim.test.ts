import { expect } from "chai";
import type { Hex } from "viem";
import type { Context } from "../../../../../emulator/context/Context.ts";
import { claimableBalances } from "../../../../../emulator/quote/claims/claimableBalances.ts";
import { createClaim } from "../../../../../emulator/quote/claims/createClaim.ts";
import { acceptClaim } from "../../../../../emulator/solver/claims/acceptClaim.ts";
import type { Quote } from "../../../../../src/schema/quote/quote.ts";
import { forEachStore, openTwice } from "../../../../helpers/processes/stores.ts";
import { signQuote } from "../../../../helpers/quotes/permits.ts";
import { accounts, payer } from "../../support/liveChain.ts";
import { addRequest, idOf, readAll } from "../../support/requests.ts";
import { type PermitStage, startPermitStage } from "../relayed/support/permitStage.ts";

/** What the wallet has earned, in smallest units of USDC. */
const earned = 40_000_000n;
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
    await addRequest(first.store, { id: idOf(77), order_id: idOf(78), status: "success" });
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
});
