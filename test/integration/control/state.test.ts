import { expect } from "chai";
import { type Hex, parseEther, zeroAddress } from "viem";
import { ControlRefusedError } from "../../../emulator/index.ts";
import { getStatus } from "../../../src/client/index.ts";
import { startFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import {
  newcomer,
  pay,
  quoteOf,
  requestIdOf,
  runToEnd,
  waitForStatus,
} from "../../helpers/requests/requestRun.ts";

describe("the state of the emulator", () => {
  const fixture = useEmulator({ reorgs: true, seed: "state" });
  beforeEach(() => fixture.emulator.control.reset());

  const control = () => fixture.emulator.control;
  const received = () => fixture.beta.balanceOf(zeroAddress, newcomer);
  const isKnown = (requestId: Hex) =>
    getStatus(fixture.client, { requestId }).then(
      () => true,
      () => false,
    );

  describe("reset", () => {
    it("a reset returns an empty database, the first chain states and ids, and the same keys", async () => {
      const { apiKeys } = fixture.emulator.info;
      const first = await quoteOf(fixture);
      await runToEnd(fixture, first);
      expect(await received()).to.be.greaterThan(0n);
      await control().prices.set({ ETH: "3000" });
      await control().config.set({ capacityPerRequest: "1" });
      await control().chains.setHealth(fixture.beta.info.id, { disabled: true });
      await control().faults.add({ failReason: "SLIPPAGE", kind: "fill-fails" });
      await control().clock.advance(1_000_000);

      await control().reset();
      expect(await isKnown(requestIdOf(first))).to.equal(false);
      expect(await received()).to.equal(0n);
      expect(control().prices.list().ETH).to.equal("2500");
      expect(control().config.get()).to.include({ capacityPerRequest: "10000000", reorgs: true });
      expect(control().chains.health(fixture.beta.info.id).disabled).to.equal(false);
      expect(control().faults.list()).to.deep.equal([]);
      expect(Math.abs(control().clock.read().now - Date.now())).to.be.below(5_000);
      expect(fixture.emulator.info.apiKeys).to.deep.equal(apiKeys);
      const again = await quoteOf(fixture);
      expect(requestIdOf(again)).to.equal(requestIdOf(first));
      expect((await runToEnd(fixture, again)).status).to.equal("success");
      expect((await control().log()).map(({ kind }) => kind)).to.deep.equal(["reset"]);
    });
  });

  describe("save and restore", () => {
    it("a saved state restores chains, requests, prices, faults, clock and ids, any number of times", async () => {
      const kept = await quoteOf(fixture);
      await runToEnd(fixture, kept);
      const before = await received();
      await control().prices.set({ ETH: "3000" });
      await control().faults.add({ delayMs: 1, kind: "route-slow", path: "/nothing" });
      const { at, id } = await control().snapshot();
      const ids = [];
      for (let round = 0; round < 3; round++) {
        const lost = await quoteOf(fixture);
        ids.push(requestIdOf(lost));
        expect((await runToEnd(fixture, lost)).status).to.equal("success");
        expect(await received()).to.be.greaterThan(before);
        await control().prices.set({ ETH: "1000" });
        await control().faults.clear();
        await control().clock.advance(3_600_000);

        expect(await control().restore(id)).to.deep.equal({ at, id });
        expect(await received()).to.equal(before);
        expect(await isKnown(requestIdOf(kept))).to.equal(true);
        expect(await isKnown(requestIdOf(lost))).to.equal(false);
        expect(control().prices.list().ETH).to.equal("3000");
        expect(control().faults.list()).to.have.length(1);
        expect(control().clock.read().now).to.be.within(at, at + 60_000);
      }
      expect(new Set(ids).size).to.equal(1);
    });

    it("a restore during a pending request continues the request from the saved state", async () => {
      await control().faults.add({ count: "always", delayMs: 3_600_000, kind: "fill-slow" });
      const quote = await quoteOf(fixture);
      await pay(fixture, quote);
      await waitForStatus(fixture, requestIdOf(quote), ["pending"]);
      const { id } = await control().snapshot();
      for (let round = 0; round < 2; round++) {
        await control().faults.clear();
        await waitForStatus(fixture, requestIdOf(quote), ["success"]);
        const filled = await received();
        await control().restore(id);
        expect(await received()).to.equal(0n);
        expect((await getStatus(fixture.client, { requestId: requestIdOf(quote) })).status).to.equal(
          "pending",
        );
        expect(filled).to.equal(BigInt(quote.details.currencyOut?.amount ?? 0));
      }
    });

    it("a state that is newer than the restored one, or unknown, is rejected", async () => {
      const older = await control().snapshot();
      const younger = await control().snapshot();
      expect(control().snapshots()).to.deep.equal([older, younger]);
      await control().restore(older.id);
      expect(control().snapshots()).to.deep.equal([older]);
      for (const id of [younger.id, "snapshot-0"]) {
        expect(await failureOf(control().restore(id))).to.be.instanceOf(ControlRefusedError);
      }
      await control().restore(older.id);
      await control().reset();
      expect(control().snapshots()).to.deep.equal([]);
    });
  });

  describe("dropped blocks", () => {
    const heightOf = () => fixture.alpha.reader.getBlockNumber();

    it("dropped blocks with every kind of transaction: all return with the same hash", async () => {
      const wallet = fixture.alpha.wallet(1);
      const common = { gas: 21_000n, to: newcomer, value: 1n } as const;
      const gasPrice = 10n ** 10n;
      const hashes = [
        await wallet.sendTransaction({ ...common, gasPrice, type: "legacy" }),
        await wallet.sendTransaction({ ...common, accessList: [], gasPrice, type: "eip2930" }),
        await wallet.sendTransaction({ ...common, maxFeePerGas: gasPrice, type: "eip1559" }),
      ];
      const report = await control().chains.reorg({ blocks: 3, chainId: fixture.alpha.info.id });
      expect([report.returned, report.lost]).to.deep.equal([hashes, []]);
      for (const hash of hashes) {
        expect((await fixture.alpha.reader.getTransactionReceipt({ hash })).status).to.equal("success");
      }
    });

    it("more blocks than the saved states, or blocks of an unknown chain, are rejected", async () => {
      const chainId = fixture.alpha.info.id;
      for (const wrong of [
        { blocks: Number(await heightOf()), chainId },
        { blocks: 1, chainId: 1 },
      ]) {
        expect(await failureOf(control().chains.reorg(wrong))).to.be.instanceOf(ControlRefusedError);
      }
      await control().config.set({ reorgs: false });
      for (let index = 0; index < 3; index++) {
        await fixture.alpha.wallet(1).sendTransaction({ to: newcomer, value: parseEther("1") });
      }
      const height = await heightOf();
      const missing = await failureOf(control().chains.reorg({ blocks: 1, chainId }));
      expect(missing)
        .to.be.instanceOf(ControlRefusedError)
        .and.match(/has no state of block/);
      expect(await heightOf()).to.equal(height);
      await control().config.set({ reorgs: true });
    });

    it("exactly the requested number of blocks is dropped, even of blocks mined in bulk", async () => {
      const chainId = fixture.alpha.info.id;
      const wallets = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => fixture.alpha.wallet(index));
      for (const blocks of [1, 2, 3, 5, 8]) {
        await Promise.all(
          wallets.map(async (wallet) => {
            const hash = await wallet.sendTransaction({ to: newcomer, value: 1n });
            await fixture.alpha.reader.waitForTransactionReceipt({ hash });
          }),
        );
        const height = Number(await heightOf());
        const report = await control().chains.reorg({ blocks, chainId, returns: false });
        expect([report.blocks, report.forkBlock]).to.deep.equal([blocks, height - blocks]);
      }
    });
  });

  it("a start with the same seed repeats ids and keys", async () => {
    const start = () => startFixture({ seed: "state" });
    const [first, second] = [await start(), await start()];
    const ids = [];
    for (const each of [first, second]) {
      ids.push([requestIdOf(await quoteOf(each)), requestIdOf(await quoteOf(each))]);
      await each.stop();
    }
    expect(ids[0]).to.deep.equal(ids[1]);
    expect(new Set(ids[0]).size).to.equal(2);
    expect(first.emulator.info.adminKey).to.equal(second.emulator.info.adminKey);
    const random32 = () => `0x${"11".repeat(32)}` as const;
    expect(await failureOf(startFixture({ random32, seed: "state" }))).to.match(/seed/);
  });
});
