import { expect } from "chai";
import { parseEther, zeroAddress } from "viem";
import { startTestEmulator, type TestEmulator } from "../../../testing/index.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

describe("a test emulator", () => {
  let emulator: TestEmulator;
  before("start the emulator", async () => {
    emulator = await startTestEmulator();
  });
  after("stop the emulator", () => emulator.stop());

  const give = async (account: `0x${string}`) => {
    const wallet = emulator.origin.wallet(0);
    const hash = await wallet.sendTransaction({ to: account, value: parseEther("1") });
    await emulator.origin.reader.waitForTransactionReceipt({ hash });
  };
  const balance = (account: `0x${string}`) => emulator.origin.balanceOf(zeroAddress, account);

  it("a set-up function: runs once, and each load restores chains, settings and clock", async () => {
    let runs = 0;
    const account = fresh();
    const setUp = async () => {
      runs++;
      await give(account);
      return { account };
    };
    for (let load = 0; load < 3; load++) {
      expect(await emulator.loadFixture(setUp)).to.deep.equal({ account });
      expect(await balance(account)).to.equal(parseEther("1"));
      expect(emulator.control.config.get().rateLimits).to.equal(false);
      const before = emulator.time.latest();
      await give(account);
      await emulator.control.config.set({ rateLimits: true });
      expect((await emulator.time.increase(86_400)) - before).to.be.within(86_400, 86_460);
    }
    expect(runs).to.equal(1);
  });

  it("a second set-up function: begins at the start, and the first runs again after it", async () => {
    const accounts = [fresh(), fresh()] as const;
    const runs = [0, 0];
    const setUps = accounts.map((account, index) => async () => {
      runs[index] = (runs[index] ?? 0) + 1;
      await give(account);
    });
    for (const setUp of [...setUps, ...setUps]) {
      await emulator.loadFixture(setUp);
      expect((await Promise.all(accounts.map(balance))).filter((amount) => amount > 0n)).to.have.length(1);
    }
    expect(runs).to.deep.equal([2, 2]);
  });

  it("a load: takes less than 50 ms", async () => {
    const account = fresh();
    const setUp = () => give(account);
    await emulator.loadFixture(setUp);
    const times: number[] = [];
    for (let load = 0; load < 9; load++) {
      await give(account);
      const started = performance.now();
      await emulator.loadFixture(setUp);
      times.push(performance.now() - started);
    }
    expect(Math.min(...times)).to.be.below(50);
  });

  it("time: moves the API and both chains together", async () => {
    const to = emulator.time.latest() + 3_600;
    expect(await emulator.time.increaseTo(to)).to.equal(to);
    for (const { reader } of emulator.chains) {
      const { timestamp } = await reader.getBlock();
      expect(Number(timestamp)).to.be.within(to, to + 2);
    }
    expect(Math.floor(emulator.client.now() / 1_000)).to.be.within(to, to + 2);
  });

  it("an unknown currency and an account without funds: are named with those that exist", () => {
    expect(() => emulator.origin.currency("XYZ")).to.throw(/alpha has no XYZ, only ETH, /);
    expect(() => emulator.origin.wallet(1_000)).to.throw(/the funded accounts are 0 to/);
  });
});
