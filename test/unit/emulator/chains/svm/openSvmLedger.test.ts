import { expect } from "chai";
import type { SvmBalance } from "../../../../../emulator/chains/svm/createSvmMachine.ts";
import { loadSvm, type SvmPackages } from "../../../../../emulator/chains/svm/loadSvm.ts";
import { openSvmLedger, type SvmLedger } from "../../../../../emulator/chains/svm/openSvmLedger.ts";
import { SvmTransactionRefusedError } from "../../../../../emulator/chains/svm/SvmOutcome.ts";
import { deriveSvmAccounts, type SvmAccounts } from "../../../../../emulator/chains/svm/svmAccounts.ts";
import { svmCurrencies } from "../../../../../emulator/chains/svm/svmCurrencies.ts";
import { paymentInstructions, signSvmTransaction } from "../../../../../emulator/chains/svm/svmPayment.ts";
import { openStore } from "../../../../../emulator/store/openStore.ts";
import type { Store } from "../../../../../emulator/store/tables.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";

const [sol, usdc] = svmCurrencies.map(({ address, decimals }) => ({ address, decimals })) as [Held, Held];
type Held = { readonly address: string; readonly decimals: number };
const started = 1_000_000_000_000n;

describe("openSvmLedger", () => {
  let packages: SvmPackages;
  let accounts: SvmAccounts;
  let store: Store;
  let genesis: readonly SvmBalance[];
  let time = 1_700_000_000_000;

  const open = () =>
    openSvmLedger(packages, { now: () => time++, random32: () => `0x${"11".repeat(32)}`, store }, genesis);
  const user = () => accounts.users[0]?.signer as NonNullable<SvmAccounts["users"][0]>["signer"];
  const solver = () => accounts.solver.signer;
  /** A payment of the user to the solver, signed for the newest block hash. */
  const payment = async (
    ledger: SvmLedger,
    { amount = 1n, currency = sol, memo = undefined as string | undefined, blockhash = "" } = {},
  ) => {
    const parts = { amount, currency, from: user(), memo, payer: user(), to: solver().address };
    const instructions = await paymentInstructions(parts, packages);
    const recent = blockhash || (await ledger.head()).blockhash;
    return signSvmTransaction(instructions, { blockhash: recent, payer: user() }, packages);
  };
  const balance = (ledger: SvmLedger, owner: string, currency = sol) =>
    ledger.read((machine) => machine.balanceOf({ currency: currency.address, owner }));
  const refusal = async (sent: Promise<unknown>) => {
    const error = await failureOf(sent);
    expect(error).to.be.instanceOf(SvmTransactionRefusedError);
    return (error as SvmTransactionRefusedError).error;
  };

  before(async () => {
    packages = await loadSvm();
    accounts = await deriveSvmAccounts(packages);
    genesis = [
      { amount: started, currency: sol.address, owner: user().address },
      { amount: 5_000_000n, currency: usdc.address, owner: user().address },
      { amount: started, currency: sol.address, owner: solver().address },
    ];
  });
  beforeEach(async () => {
    ({ store } = await openStore(":memory:"));
  });
  afterEach(() => store.destroy());

  it("refuses a transaction that it executed already, and moves nothing", async () => {
    const ledger = open();
    const wire = await payment(ledger, { amount: 7n });
    await ledger.send(wire);
    expect(await refusal(ledger.send(wire))).to.equal("AlreadyProcessed");
    expect(await balance(ledger, solver().address)).to.equal(started + 7n);
  });

  it("executes a transaction once of several sent at the same time by two processes", async () => {
    const ledgers = [open(), open()] as const;
    const wire = await payment(ledgers[0], { amount: 7n });
    const sent = await Promise.allSettled([0, 1, 2, 3].map((n) => ledgers[n % 2 === 0 ? 0 : 1].send(wire)));
    expect(sent.filter(({ status }) => status === "fulfilled")).to.have.length(1);
    for (const ledger of ledgers) expect(await balance(ledger, solver().address)).to.equal(started + 7n);
  });

  it("refuses a block hash that is 150 slots old or of another chain", async () => {
    const ledger = open();
    const { blockhash } = await ledger.head();
    await ledger.setBalances(Array.from({ length: 149 }, () => genesis[0] as SvmBalance));
    await ledger.send(await payment(ledger, { blockhash }));
    expect(await refusal(ledger.send(await payment(ledger, { amount: 2n, blockhash })))).to.equal(
      "BlockhashNotFound",
    );
    const other = await payment(ledger, { blockhash: user().address });
    expect(await refusal(ledger.send(other))).to.equal("BlockhashNotFound");
  });
});
