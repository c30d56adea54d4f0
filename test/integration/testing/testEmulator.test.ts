import { createRequire } from "node:module";
import { expect } from "chai";
import { type Abi, type Hex, parseEther, zeroAddress } from "viem";
import { pinnedReceiverAbi } from "../../../src/abi/PinnedReceiver.ts";
import { receiverAddress } from "../../../src/abi/receiverAddress.ts";
import { startTestEmulator, type TestEmulator } from "../../../testing/index.ts";
import { failureOf } from "../../helpers/failureOf.ts";
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

  it("time: moves the API and both chains together", async () => {
    const to = emulator.time.latest() + 3_600;
    expect(await emulator.time.increaseTo(to)).to.equal(to);
    for (const { reader } of emulator.chains) {
      const { timestamp } = await reader.getBlock();
      expect(Number(timestamp)).to.be.within(to, to + 2);
    }
    expect(Math.floor(emulator.client.now() / 1_000)).to.be.within(to, to + 2);
  });
});

const require = createRequire(import.meta.url);

const artifactOf = (name: string) =>
  require(`waybill/artifacts/${name}.json`) as { abi: Abi; bytecode: Hex; deployedBytecode: Hex };

describe("Waybill's contracts on a test chain", () => {
  let emulator: TestEmulator;
  before("start the emulator", async () => {
    emulator = await startTestEmulator();
  });
  after("stop the emulator", () => emulator.stop());

  it("a receiver whose constructor reverts: leaves no code, and code of another version is refused", async () => {
    const { placeReceiver, reader } = emulator.origin;
    const { bytecode } = artifactOf("PinnedReceiver");
    const parameters = {
      abi: pinnedReceiverAbi,
      args: [zeroAddress, zeroAddress, 0, zeroAddress],
      bytecode,
    } as const;
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await failureOf(placeReceiver(parameters))).to.have.property("name", "CallExecutionError");
    }
    expect(await reader.getCode({ address: receiverAddress(parameters) })).to.equal(undefined);
    const other = await failureOf(placeReceiver({ ...parameters, bytecode: "0x00" }));
    expect(other).to.have.property("name", "InvalidParameterError");
  });
});
