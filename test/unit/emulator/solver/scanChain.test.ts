import { expect } from "chai";
import type { Hex } from "viem";
import type { Context } from "../../../../emulator/context/Context.ts";
import { defaultQuoteSettings } from "../../../../emulator/context/QuoteSettings.ts";
import { noControl } from "../../../../emulator/control/noControl.ts";
import { serializeIntent } from "../../../../emulator/requests/Intent.ts";
import { scanChain } from "../../../../emulator/solver/scanChain.ts";
import type { Store } from "../../../../emulator/store/openStore.ts";
import {
  codeOfCalls,
  type FixedCall,
  passesInEvenBlocks,
  passesInOddBlocks,
  passesMoreInEvenBlocks,
} from "../../../helpers/attackCode.ts";
import { accounts, type Call, type LiveChain, payer, solver, startLiveChain } from "../support/liveChain.ts";
import { emptyStore, intent, noApiKeys, orderId, requestId, requestRow } from "../support/requests.ts";

const asked = 100n;
const tagB: Hex = `0x${"79".repeat(32)}`;

describe("scanChain", function () {
  this.timeout(60_000);
  let live: LiveChain;
  let snapshot: unknown;
  let store: Store;
  let context: Context;
  let drawn = 0;
  before("starting a chain", async function () {
    this.timeout(60_000);
    live = await startLiveChain(31_396, "gamma");
  });
  after(() => live?.chain.close());
  beforeEach(async () => {
    snapshot = await live.chain.rpc("evm_snapshot");
    store = await emptyStore();
    context = {
      accounts,
      adminKey: "",
      apiKeys: noApiKeys,
      chains: new Map([[live.chain.definition.id, live.chain]]),
      control: noControl,
      log: () => undefined,
      now: () => 1_000,
      quoting: defaultQuoteSettings(),
      random32: () => `0x${(++drawn).toString(16).padStart(64, "0")}`,
      store,
    };
    const origin = { ...intent.origin, amount: asked, chainId: live.chain.definition.id };
    const row = requestRow({ intent: serializeIntent({ ...intent, origin, user: payer }) });
    await store.insertInto("requests").values(row).execute();
  });
  afterEach(async () => {
    await store.destroy();
    await live.chain.rpc("evm_revert", [snapshot]);
  });

  const scan = () => scanChain(live.chain, context);
  const deposits = () =>
    store.selectFrom("deposits").select(["id", "outcome", "reason", "tx_status"]).orderBy("id").execute();
  const outcomes = async () => (await deposits()).map(({ outcome, reason }) => reason ?? outcome);
  const status = async () =>
    (
      await store
        .selectFrom("requests")
        .select("status")
        .where("id", "=", requestId)
        .executeTakeFirstOrThrow()
    ).status;
  const mine = () => live.chain.rpc("evm_mine");
  /** Signed once, so that it is the same transaction in whichever block it ends up. */
  const signedDeposit = () => signed({ data: requestId, to: live.chain.contracts.relayReceiver });
  async function signed({ data, to }: Pick<Call, "data" | "to">): Promise<Hex> {
    const { head } = live.chain;
    const { account } = accounts.users[0] ?? accounts.deployer;
    return account.signTransaction({
      chainId: live.chain.definition.id,
      data,
      gas: 200_000n,
      maxFeePerGas: 100n * head().baseFeePerGas,
      nonce: await live.chain.client.getTransactionCount({ address: payer }),
      to,
      type: "eip1559",
      value: asked,
    });
  }
  const sendRaw = (raw: Hex) => live.chain.rpc("eth_sendRawTransaction", [raw]);

  it("records a deposit with its block, moves the request, and does neither again", async () => {
    const txHash = await live.depositNative(orderId, asked);
    await scan();
    await scan();
    await mine();
    await scan();
    const [deposit] = await store.selectFrom("deposits").selectAll().execute();
    const block = await live.chain.client.getTransactionReceipt({ hash: txHash });
    expect(deposit).to.deep.include({
      amount: "100",
      block_hash: block.blockHash,
      block_number: Number(block.blockNumber),
      depositor: payer.toLowerCase(),
      outcome: "accepted",
      request_id: requestId,
      tx_hash: txHash,
      tx_status: "success",
    });
    expect(await outcomes()).to.deep.equal(["accepted"]);
    expect(await store.selectFrom("events").select("trigger").execute()).to.deep.equal([
      { trigger: "deposit-accepted" },
    ]);
    const found = await store.selectFrom("request_hashes").select(["hash", "request_id"]).execute();
    expect(found).to.deep.equal([{ hash: txHash, request_id: requestId }]);
  });

  it("does not search what was there before the service", async () => {
    live.forget();
    await scan();
    const made = (await live.chain.client.getBlockNumber()) - live.chain.firstBlock + 1n;
    expect(live.asked.get("eth_getBlockByNumber") ?? 0).to.equal(Number(made) + 1);
  });

  it("opens a request of its own for a second deposit, and for one that names nothing", async () => {
    await live.depositNative(orderId, asked);
    await live.depositNative(orderId, asked);
    await live.depositNative(`0x${"77".repeat(32)}`, asked);
    await scan();
    expect((await outcomes()).sort()).to.deep.equal(["DOUBLE_SPEND", "ORPHANED_DEPOSIT_REFUND", "accepted"]);
    const children = await store
      .selectFrom("requests")
      .select(["parent_id", "status", "fail_reason", "user", "refund_to"])
      .where("id", "!=", requestId)
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    const child = { refund_to: payer.toLowerCase(), status: "pending", user: payer.toLowerCase() };
    expect(children).to.have.deep.members([
      { ...child, fail_reason: "DOUBLE_SPEND", parent_id: requestId },
      { ...child, fail_reason: "ORPHANED_DEPOSIT_REFUND", parent_id: null },
    ]);
  });

  it("finds the same again when recording it failed half-way", async () => {
    await live.depositNative(orderId, asked);
    let calls = 0;
    const crashing = {
      ...context,
      now: () => {
        calls++;
        throw new Error("the process ended here");
      },
    };
    const error = await scanChain(live.chain, crashing).catch((reason: unknown) => reason);
    expect([error, calls]).to.deep.equal([new Error("the process ended here"), 1]);
    expect([await outcomes(), await status()]).to.deep.equal([[], "waiting"]);
    await scan();
    expect([await outcomes(), await status()]).to.deep.equal([["accepted"], "pending"]);
  });

  it("follows hundreds of blocks at once", async () => {
    await live.chain.rpc("hardhat_mine", ["0x12c"]);
    await live.depositNative(orderId, asked);
    await live.chain.rpc("hardhat_mine", ["0x12c"]);
    await scan();
    expect(await outcomes()).to.deep.equal(["accepted"]);
    const { next_block } = await store.selectFrom("cursors").select("next_block").executeTakeFirstOrThrow();
    expect(BigInt(next_block)).to.equal((await live.chain.client.getBlockNumber()) + 1n);
  });

  describe("when the chain was reorganised", () => {
    /** The hash of the last block that was searched, which has to be the chain's. */
    async function isUpToDate(): Promise<boolean> {
      const head = await live.chain.client.getBlock();
      const known = await store
        .selectFrom("blocks")
        .select(["number", "hash"])
        .orderBy("number", "desc")
        .executeTakeFirst();
      return known?.hash === head.hash && BigInt(known.number) === head.number;
    }

    for (const [how, blocks] of [
      ["became shorter", 0],
      ["has another block in its place", 1],
      ["has more blocks now", 4],
    ] as const) {
      it(`lets go of a deposit that vanished: the chain ${how}`, async () => {
        await mine();
        await scan();
        const fork = await live.chain.rpc("evm_snapshot");
        await live.depositNative(orderId, asked);
        await scan();
        await live.chain.rpc("evm_revert", [fork]);
        for (let i = 0; i < blocks; i++) await mine();
        await scan();
        await scan();
        expect((await deposits()).map(({ id: _, ...rest }) => rest)).to.deep.equal([
          { outcome: "vanished", reason: "DEPOSIT_REORGED", tx_status: "failure" },
        ]);
        expect(await isUpToDate()).to.equal(true);
        const request = await store.selectFrom("requests").selectAll().executeTakeFirstOrThrow();
        expect([request.status, request.fail_reason]).to.deep.equal(["failure", "DEPOSIT_REORGED"]);
        const { data } = await store
          .selectFrom("events")
          .select("data")
          .where("trigger", "=", "deposit-reorged")
          .executeTakeFirstOrThrow();
        const { reorg } = JSON.parse(data) as { reorg: Record<string, unknown> };
        expect(reorg).to.have.keys("blockNumber", "chainId", "txHash");
      });
    }

    it("keeps deposits of before, and those whose transaction ended up in another block", async () => {
      const early = await live.depositNative(`0x${"77".repeat(32)}`, 1n);
      await scan();
      const fork = await live.chain.rpc("evm_snapshot");
      const raw = await signedDeposit();
      await sendRaw(raw);
      await scan();
      const before = await store
        .selectFrom("deposits")
        .selectAll()
        .where("outcome", "=", "accepted")
        .execute();
      await live.chain.rpc("evm_revert", [fork]);
      // Another event stands before it now, and another block.
      await live.depositNative(`0x${"78".repeat(32)}`, 1n, accounts.users[2]?.account.address);
      await mine();
      await sendRaw(raw);
      await scan();
      const after = await store
        .selectFrom("deposits")
        .selectAll()
        .where("outcome", "=", "accepted")
        .execute();
      expect([before.length, after.length]).to.deep.equal([1, 1]);
      expect(after[0]?.id).to.equal(before[0]?.id);
      expect((after[0]?.block_number ?? 0) - (before[0]?.block_number ?? 0)).to.equal(2);
      expect(await outcomes()).to.not.include("DEPOSIT_REORGED");
      expect((await deposits()).some(({ id }) => id.includes(early))).to.equal(true);
      expect(await status()).to.equal("pending");
    });

    it("takes a deposit up again that vanished and came back, once", async () => {
      await mine();
      await scan();
      const fork = await live.chain.rpc("evm_snapshot");
      const raw = await signedDeposit();
      await sendRaw(raw);
      await scan();
      await live.chain.rpc("evm_revert", [fork]);
      await mine();
      await scan();
      expect(await outcomes()).to.deep.equal(["DEPOSIT_REORGED"]);
      await sendRaw(raw);
      await scan();
      await scan();
      expect((await deposits()).map(({ id: _, ...rest }) => rest)).to.deep.equal([
        { outcome: "accepted", reason: null, tx_status: "success" },
      ]);
      const request = await store.selectFrom("requests").selectAll().executeTakeFirstOrThrow();
      expect([request.status, request.fail_reason]).to.deep.equal(["pending", null]);
      const log = await store.selectFrom("events").select(["trigger", "status"]).orderBy("seq").execute();
      expect(log.map(({ trigger, status: reached }) => [trigger, reached])).to.deep.equal([
        ["deposit-accepted", "pending"],
        ["deposit-reorged", "failure"],
        ["deposit-returned", "pending"],
      ]);
    });

    /** Pays by a contract that does something else in blocks of odd number; mines the same transaction in both. */
    async function payDifferently(...calls: readonly FixedCall[]): Promise<void> {
      const proxy = "0x00000000000000000000000000000000000ca11e";
      await live.chain.rpc("hardhat_setCode", [proxy, codeOfCalls(...calls)]);
      const raw = await signed({ data: `0x${"00".repeat(36)}`, to: proxy });
      if ((await live.chain.client.getBlockNumber()) % 2n === 0n) await mine();
      await scan();
      const fork = await live.chain.rpc("evm_snapshot");
      await sendRaw(raw);
      await scan();
      expect(await outcomes()).to.deep.equal(["accepted"]);
      await live.chain.rpc("evm_revert", [fork]);
      await mine();
      await sendRaw(raw);
      await scan();
    }

    it("gives a deposit back, unfilled, that brings less in another block", async () => {
      await payDifferently({ data: requestId, to: solver, value: passesMoreInEvenBlocks });
      const [deposit] = await store.selectFrom("deposits").selectAll().execute();
      expect(deposit).to.include({ amount: "1", outcome: "refused", todo: "refund" });
      expect(deposit?.reason).to.equal("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");
    });

    it("records a payment that names another request in another block as that request's", async () => {
      await payDifferently(
        { data: requestId, to: solver, value: passesInEvenBlocks },
        { data: tagB, to: solver, value: passesInOddBlocks },
      );
      const rows = await store
        .selectFrom("deposits")
        .select(["tag", "outcome", "reason"])
        .orderBy("id")
        .execute();
      expect(rows).to.deep.equal([
        { outcome: "vanished", reason: "DEPOSIT_REORGED", tag: requestId },
        { outcome: "refused", reason: "ORPHANED_DEPOSIT_REFUND", tag: tagB },
      ]);
    });

    it("gives a deposit back that comes back after another one has paid", async () => {
      await mine();
      await scan();
      const fork = await live.chain.rpc("evm_snapshot");
      const raw = await signedDeposit();
      await live.depositNative(orderId, asked);
      await scan();
      await live.chain.rpc("evm_revert", [fork]);
      expect(await status()).to.equal("pending");
      await sendRaw(raw);
      await scan();
      // The first one vanished while the request had begun: what was found later is a second payment, and goes back.
      expect((await outcomes()).sort()).to.deep.equal(["DEPOSIT_REORGED", "DOUBLE_SPEND"]);
    });

    it("notices it after a pause in which the chain went on", async () => {
      await mine();
      await scan();
      const fork = await live.chain.rpc("evm_snapshot");
      await live.depositNative(orderId, asked);
      await mine();
      await scan();
      await live.chain.rpc("evm_revert", [fork]);
      await live.chain.rpc("hardhat_mine", ["0x96"]);
      await live.depositNative(`0x${"77".repeat(32)}`, 5n);
      await scan();
      expect((await outcomes()).sort()).to.deep.equal(["DEPOSIT_REORGED", "ORPHANED_DEPOSIT_REFUND"]);
      expect(await isUpToDate()).to.equal(true);
    });

    it("searches all again when the chain went back further than is remembered", async () => {
      const fork = await live.chain.rpc("evm_snapshot");
      await live.depositNative(orderId, asked);
      await live.chain.rpc("hardhat_mine", ["0x4b0"]);
      await scan();
      const { count } = await store
        .selectFrom("blocks")
        .select((row) => row.fn.countAll().as("count"))
        .executeTakeFirstOrThrow();
      expect(Number(count)).to.be.within(1_024, 1_024 + 128);
      await live.chain.rpc("evm_revert", [fork]);
      await live.depositNative(`0x${"77".repeat(32)}`, 5n);
      await scan();
      expect((await outcomes()).sort()).to.deep.equal(["DEPOSIT_REORGED", "ORPHANED_DEPOSIT_REFUND"]);
      expect(await isUpToDate()).to.equal(true);
    });

    it("records none of it when it fails half-way, and all of it the next time", async () => {
      await mine();
      await scan();
      const fork = await live.chain.rpc("evm_snapshot");
      await live.depositNative(orderId, asked);
      await scan();
      await live.chain.rpc("evm_revert", [fork]);
      await live.depositNative(orderId, asked + 1n);
      const crashing = {
        ...context,
        now: () => {
          throw new Error("the process ended here");
        },
      };
      await scanChain(live.chain, crashing).then(
        () => expect.fail("it did not crash"),
        () => undefined,
      );
      expect(await outcomes()).to.deep.equal(["accepted"]);
      await scan();
      expect((await outcomes()).sort()).to.deep.equal(["DEPOSIT_REORGED", "DOUBLE_SPEND"]);
    });
  });
});
