import { expect, use } from "chai";
import { parseEther, zeroAddress } from "viem";
import { getQuote } from "../../src/client/index.ts";
import { startTestEmulator, type TestEmulator, waybillMatchers } from "../../testing/index.ts";
import { lastTransaction } from "../helpers/quotes/intents.ts";
import { startReplica } from "./replica/startReplica.ts";
import { keepCacheApart } from "./support/keepCacheApart.ts";

use(waybillMatchers);

describe("startTestEmulator with a fork", () => {
  keepCacheApart();
  let emulator: TestEmulator;
  let replica: Awaited<ReturnType<typeof startReplica>>;
  before("fork the replica, after two local chains", async () => {
    replica = await startReplica();
    emulator = await startTestEmulator({ chainCount: 2, forks: [{ id: 1, rpcUrl: replica.url }] });
  });
  after(async () => {
    await emulator?.stop();
    await replica?.close();
  });

  it("a payment from a local chain: arrives once on the fork, and a fixture restores the fork", async () => {
    const { client, chains, origin } = emulator;
    const fork = chains.at(-1);
    if (fork === undefined) throw new Error("no fork runs");
    expect(chains.map(({ info }) => info.id)).to.deep.equal([31337, 31338, 1]);
    const account = "0x00000000000000000000000000000000c0ffee01";
    const held = () => fork.balanceOf(zeroAddress, account);
    const setUp = () => fork.wallet(0).sendTransaction({ to: account, value: 1n });
    await emulator.loadFixture(setUp);
    const quote = await getQuote(client, {
      amount: parseEther("1"),
      destinationChainId: 1,
      destinationCurrency: zeroAddress,
      originChainId: origin.info.id,
      originCurrency: zeroAddress,
      recipient: account,
      tradeType: "EXACT_INPUT",
      user: origin.wallet(0).account.address,
    });
    await origin.wallet(0).sendTransaction(lastTransaction(quote));
    await expect(emulator.request(quote)).to.bePaidOnce();
    expect((await held()) > parseEther("0.9")).to.equal(true);
    await emulator.loadFixture(setUp);
    expect(await held()).to.equal(1n);
  });
});
