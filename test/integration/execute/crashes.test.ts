import { expect } from "chai";
import { Wallet as EthersWallet, JsonRpcProvider } from "ethers";
import { type Address, createWalletClient, custom, erc20Abi, parseUnits, type WalletClient } from "viem";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import {
  type EthersSigner,
  type ExecuteProgress,
  type ExecutionState,
  execute,
} from "../../../src/execute/index.ts";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import { type BatchWallet, deployBatchWallet } from "../../helpers/batchWallet.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";

const recipient = "0x00000000000000000000000000000000000a11ce";
const amount = parseUnits("10", 6);

/** The paying account, and the number of its transactions. */
type Payer = { countSent(): Promise<number>; user: Address; wallet: EthersSigner | WalletClient };

/** A run that was stopped at one event, before or after the event's state was saved. */
type Crash = { at: number; isSaved: boolean };

describe("an execution that stops at any point", () => {
  let account: BatchWallet;
  let provider: JsonRpcProvider;
  const fixture = useEmulator();
  before(async () => {
    provider = new JsonRpcProvider(fixture.alpha.info.rpcUrl, undefined, {
      cacheTimeout: -1,
      staticNetwork: true,
    });
    account = await deployBatchWallet(fixture.alpha.wallet(4), fixture.alpha.reader);
    await fixture.alpha.wallet(4).writeContract({
      abi: erc20Abi,
      address: fixture.alpha.currency("USDC"),
      args: [account.address, parseUnits("10000", 6)],
      functionName: "transfer",
    });
  });
  after(() => provider.destroy());

  const nonceOf = (address: Address) => () => fixture.alpha.reader.getTransactionCount({ address });
  const viemPayer = async (): Promise<Payer> => {
    const wallet = fixture.alpha.wallet(0);
    const user = wallet.account.address;
    return { countSent: nonceOf(user), user, wallet };
  };
  const ethersPayer = async (): Promise<Payer> => {
    const wallet = new EthersWallet(fixture.alpha.info.accounts[1]?.privateKey ?? "", provider);
    const user = wallet.address as Address;
    return { countSent: nonceOf(user), user, wallet };
  };
  const batchPayer = async (): Promise<Payer> => ({
    countSent: async () => account.hashes.length,
    user: account.address,
    wallet: createWalletClient({ account: account.address, transport: custom(account) }),
  });
  const payers: [string, () => Promise<Payer>, number][] = [
    ["a viem wallet client", viemPayer, 2],
    ["a signer of ethers", ethersPayer, 2],
    ["a contract account's wallet that makes batches", batchPayer, 1],
  ];

  const quoteFor = (user: Address): Promise<Quote> =>
    getQuote(
      fixture.client,
      bridgeIntent(fixture, {
        amount,
        destinationCurrency: fixture.beta.currency("USDC"),
        originCurrency: fixture.alpha.currency("USDC"),
        recipient,
        user,
      }),
    );

  const run = (quote: Quote, { wallet }: Payer, more: Partial<Parameters<typeof execute>[1]> = {}) =>
    execute(fixture.client, { quote, timeout: 20_000, verify: false, wallet, ...more });

  /** Stops a run, and its process with it; `undefined` when it ended before the point was reached. */
  async function crash(quote: Quote, payer: Payer, { at, isSaved }: Crash): Promise<string | undefined> {
    let saved = "";
    let count = 0;
    const onProgress = ({ state }: ExecuteProgress) => {
      const isLast = count++ === at;
      if (isSaved || !isLast) saved = JSON.stringify(state);
      if (isLast) throw new Error("crash");
    };
    const error = await failureOf(run(quote, payer, { onProgress }));
    if (error === undefined) return undefined;
    expect(error).to.have.property("message", "crash");
    paymentLedger.clear();
    return saved;
  }

  /** Stops a run by its signal; `undefined` when it ended all the same. */
  async function abort(quote: Quote, payer: Payer, at: number): Promise<ExecutionState | undefined> {
    const controller = new AbortController();
    let last: ExecutionState | undefined;
    let count = 0;
    const onProgress = ({ state }: ExecuteProgress) => {
      last = JSON.parse(JSON.stringify(state));
      if (count++ === at) controller.abort();
    };
    const error = await failureOf(run(quote, payer, { onProgress, signal: controller.signal }));
    if (error === undefined) return undefined;
    expect(error, `aborted at ${at}`).to.have.property("code", "ABORTED");
    return last;
  }

  for (const [name, payerOf, transactions] of payers) {
    it(`continues after an abort at every event, and never leaves an outcome open, with ${name}`, async () => {
      const payer = await payerOf();
      let at = 0;
      for (; ; at++) {
        const quote = await quoteFor(payer.user);
        const sentBefore = await payer.countSent();
        const state = await abort(quote, payer, at);
        if (state === undefined) break;
        expect(state.items.filter(({ status }) => status === "sending")).to.deep.equal([]);
        expect(await run(quote, payer, { state })).to.have.property("status", "success");
        expect((await payer.countSent()) - sentBefore, `aborted at ${at}`).to.equal(transactions);
      }
      expect(at).to.be.greaterThan(transactions * 3);
    }).timeout(120_000);

    for (const isSaved of [true, false]) {
      const when = isSaved ? "after" : "before";
      it(`continues ${when} every save and sends every item once, with ${name}`, async () => {
        const payer = await payerOf();
        let at = 0;
        for (; ; at++) {
          const quote = await quoteFor(payer.user);
          expect(quote.steps.map(({ id }) => id)).to.deep.equal(["approve", "deposit"]);
          const sentBefore = await payer.countSent();
          const before = await fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient);
          const saved = await crash(quote, payer, { at, isSaved });
          if (saved === undefined) break;
          const state: ExecutionState | undefined = saved === "" ? undefined : JSON.parse(saved);
          const again = await run(quote, payer, { state }).catch((reason: unknown) => reason);
          if (again instanceof Error) {
            // A batch that was never requested: the wallet does not have the id, and might have lost it.
            expect(again).to.have.property("code", "PAYMENT_UNSETTLED");
            expect(state?.items.map(({ batchId, status }) => [typeof batchId, status])).to.deep.equal([
              ["string", "sending"],
              ["string", "sending"],
            ]);
            expect(await payer.countSent()).to.equal(sentBefore);
            continue;
          }
          expect(again).to.have.property("status", "success");
          expect((await payer.countSent()) - sentBefore, `stopped at ${at}`).to.equal(transactions);
          const arrived = (await fixture.beta.balanceOf(fixture.beta.currency("USDC"), recipient)) - before;
          expect(arrived, `stopped at ${at}`).to.equal(BigInt(quote.details.currencyOut.amount));
        }
        expect(at).to.be.greaterThan(transactions * 3);
      }).timeout(120_000);
    }
  }
});
