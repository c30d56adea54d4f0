import { expect } from "chai";
import { type Address, type Hex, numberToHex } from "viem";
import type { Context } from "../../../../emulator/context/Context.ts";
import { serializeIntent } from "../../../../emulator/requests/Intent.ts";
import { scanChain } from "../../../../emulator/solver/scanChain.ts";
import type { Store } from "../../../../emulator/store/tables.ts";

import {
  codeOfCalls,
  type FixedCall,
  passesAll,
  passesInEvenBlocks,
  passesInOddBlocks,
  passesMoreInEvenBlocks,
} from "../../../helpers/attackCode.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { testContext } from "../support/context.ts";
import { accounts, type Call, type LiveChain, payer, solver, startLiveChain } from "../support/liveChain.ts";
import {
  addDepositAddress,
  addRequest,
  emptyStore,
  intent,
  orderId,
  readAll,
  requestId,
} from "../support/requests.ts";

const asked = 100n;
const unknownTag: Hex = `0x${"77".repeat(32)}`;
const otherTag: Hex = `0x${"79".repeat(32)}`;
const crash = new Error("the process ended here");

describe("scanChain", function () {
  this.timeout(60_000);
  let live: LiveChain;
  let snapshot: unknown;
  let store: Store;
  let context: Context;
  before("starting a chain", async () => {
    live = await startLiveChain(31_396, "gamma");
  });
  after(() => live?.chain.close());
  beforeEach(async () => {
    snapshot = await live.chain.rpc("evm_snapshot");
    store = await emptyStore();
    context = testContext({ chains: new Map([[live.chain.definition.id, live.chain]]), store });
    const origin = { ...intent.origin, amount: asked, chainId: live.chain.definition.id };
    await addRequest(store, { intent: serializeIntent({ ...intent, origin, user: payer }) });
  });
  afterEach(async () => {
    await store.destroy();
    await live.chain.rpc("evm_revert", [snapshot]);
  });

  const scan = () => scanChain(live.chain, context);
  const deposits = () => readAll(store, "deposits", "id");
  const outcomes = async () => (await deposits()).map(({ reason, state }) => reason ?? state).sort();
  const status = async () => (await readAll(store, "requests")).find(({ id }) => id === requestId)?.status;
  const mine = (blocks = 1) => live.chain.rpc("hardhat_mine", [`0x${blocks.toString(16)}`]);
  const sendRaw = (raw: Hex) => live.chain.rpc("eth_sendRawTransaction", [raw]);
  /** Signed once: the same transaction in every block that includes it. */
  const signedDeposit = () => signed({ data: requestId, to: live.chain.contracts.relayReceiver });
  async function signed({ data, to }: Pick<Call, "data" | "to">): Promise<Hex> {
    const { account } = accounts.users[0] ?? accounts.deployer;
    return account.signTransaction({
      chainId: live.chain.definition.id,
      data,
      gas: 200_000n,
      maxFeePerGas: 100n * live.chain.head().baseFeePerGas,
      nonce: await live.chain.client.getTransactionCount({ address: payer }),
      to,
      type: "eip1559",
      value: asked,
    });
  }
  /** Searches as a process that ends while it records. */
  async function crashingScan(): Promise<number> {
    let calls = 0;
    const now = () => {
      calls++;
      throw crash;
    };
    expect(await failureOf(scanChain(live.chain, { ...context, now }))).to.equal(crash);
    return calls;
  }

  it("blocks before the service's first: are not read", async () => {
    live.forget();
    await scan();
    const made = (await live.chain.client.getBlockNumber()) - live.chain.firstBlock + 1n;
    expect(live.asked.get("eth_getBlockByNumber") ?? 0).to.equal(Number(made) + 1);
  });

  it("a crash while a deposit is recorded: records nothing, and the next search finds it again", async () => {
    await live.depositNative(orderId, asked);
    expect(await crashingScan()).to.equal(1);
    expect([await outcomes(), await status()]).to.deep.equal([[], "waiting"]);
    await scan();
    expect([await outcomes(), await status()]).to.deep.equal([["fill-due"], "pending"]);
  });

  describe("after a reorg", () => {
    const fork = async () => live.chain.rpc("evm_snapshot");
    const dropSince = (point: unknown) => live.chain.rpc("evm_revert", [point]);
    /** Searches up to a new block, from which the caller forks. */
    async function scanToFork(): Promise<unknown> {
      await mine();
      await scan();
      return fork();
    }

    it("an earlier deposit, and one whose transaction moves to another block: both stay", async () => {
      const early = await live.depositNative(unknownTag, 1n);
      await scan();
      const point = await fork();
      const raw = await signedDeposit();
      await sendRaw(raw);
      await scan();
      const accepted = async () => (await deposits()).filter(({ state }) => state === "fill-due");
      const before = await accepted();
      await dropSince(point);
      // Another event and another block precede it now.
      await live.depositNative(`0x${"78".repeat(32)}`, 1n, accounts.users[2]?.account.address);
      await mine();
      await sendRaw(raw);
      await scan();
      const after = await accepted();
      expect([before.length, after.length]).to.deep.equal([1, 1]);
      expect(after[0]?.id).to.equal(before[0]?.id);
      expect((after[0]?.block_number ?? 0) - (before[0]?.block_number ?? 0)).to.equal(2);
      expect(await outcomes()).to.not.include("DEPOSIT_REORGED");
      expect((await deposits()).some(({ id }) => id.includes(early))).to.equal(true);
      expect(await status()).to.equal("pending");
    });

    /** Pays through a contract whose calls depend on the block's parity; mines the same transaction in both. */
    async function payDifferently(...calls: readonly FixedCall[]): Promise<void> {
      await payTwice(() => outcomes().then((found) => expect(found).to.deep.equal(["fill-due"])), ...calls);
    }

    async function payTwice(between: () => Promise<unknown>, ...calls: readonly FixedCall[]): Promise<void> {
      const proxy = "0x00000000000000000000000000000000000ca11e";
      await live.chain.rpc("hardhat_setCode", [proxy, codeOfCalls(...calls)]);
      // A call may pay more than the transaction brings.
      await live.chain.rpc("hardhat_setBalance", [proxy, "0x64"]);
      const raw = await signed({ data: `0x${"00".repeat(36)}`, to: proxy });
      if ((await live.chain.client.getBlockNumber()) % 2n === 0n) await mine();
      await scan();
      const point = await fork();
      await sendRaw(raw);
      await scan();
      await between();
      await dropSince(point);
      await mine();
      await sendRaw(raw);
      await scan();
    }

    it("a deposit that brings less in another block: is refused and to be refunded", async () => {
      await payDifferently({ data: requestId, to: solver, value: passesMoreInEvenBlocks });
      const [deposit] = await deposits();
      const reason = "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL";
      expect(deposit).to.include({ amount: "1", reason, state: "refund-due" });
    });

    it("a payment that names another request in another block: is recorded for that request", async () => {
      await payDifferently(
        { data: requestId, to: solver, value: passesInEvenBlocks },
        { data: otherTag, to: solver, value: passesInOddBlocks },
      );
      expect((await deposits()).map(({ reason, state, tag }) => [tag, state, reason])).to.have.deep.members([
        [requestId, "vanished", "DEPOSIT_REORGED"],
        [otherTag, "refund-due", "ORPHANED_DEPOSIT_REFUND"],
      ]);
    });

    const oneInEvenBlocks: Hex = "0x6001431615";
    const oneInOddBlocks: Hex = "0x60014316";
    const oneInEvenBlocksOrFail: Hex = "0x60014360011660c81b01";
    const whole = { data: requestId, to: solver, value: passesAll };
    for (const [title, other, before, after, result] of [
      [
        "the first of two payments that another block drops: the second stays, and its request goes on",
        { data: otherTag, to: solver, value: oneInEvenBlocks },
        ["other 0 1 refund-due", "own 0 100 fill-due"],
        ["other 0 1 vanished", "own 0 100 fill-due"],
        "pending",
      ],
      [
        "the first of two payments for one request that another block drops: the second takes its place, and is refunded",
        { data: requestId, to: solver, value: oneInEvenBlocks },
        ["own 0 1 refund-due", "own 1 100 refund-due"],
        ["own 0 100 refund-due", "own 1 100 vanished"],
        "pending",
      ],
      [
        "a payment that another block adds before the other: is a new one",
        { data: otherTag, to: solver, value: oneInOddBlocks },
        ["own 0 100 fill-due"],
        ["other 0 1 refund-due", "own 0 100 fill-due"],
        "pending",
      ],
    ] as const) {
      it(title, async () => {
        const recorded = async () => {
          const rows = (await deposits()).map(({ amount, id, state, tag }) =>
            [tag === otherTag ? "other" : "own", id.at(-1), amount, state].join(" "),
          );
          return rows.sort();
        };
        const expectBefore = async () => expect(await recorded()).to.deep.equal(before);
        await payTwice(expectBefore, other, whole);
        expect(await recorded()).to.deep.equal(after);
        expect(await status()).to.equal(result);
      });
    }

    it("the first of two payments to deposit addresses that another block drops: the second stays", async () => {
      const addresses = ["a1", "b2"].map((byte): Address => `0x${byte.repeat(20)}`);
      for (const [index, address] of addresses.entries()) {
        const id = numberToHex(index, { size: 32 });
        await addRequest(store, { id, order_id: id });
        await addDepositAddress(store, { address, chain_id: live.chain.definition.id, request_id: id });
      }
      const [first = payer, second = payer] = addresses;
      const payments = async () =>
        (await readAll(store, "address_payments", "address")).map(({ address, amount, id, state }) => ({
          is: [address, amount, state],
          id,
        }));
      let before: readonly { readonly id: string }[] = [];
      await payTwice(
        async () => {
          before = await payments();
          expect(before).to.have.length(2);
        },
        // The call fails in the other block, and leaves no trace.
        { data: "0x", to: first, value: oneInEvenBlocksOrFail },
        { data: "0x", to: second, value: passesAll },
      );
      expect((await payments()).map(({ is }) => is)).to.deep.equal([
        [first, "1", "vanished"],
        [second, "100", "found"],
      ]);
      expect((await payments()).map(({ id }) => id)).to.deep.equal(before.map(({ id }) => id));
    });

    it("a crash while the reorg is recorded: records none of it, and the next search all of it", async () => {
      const point = await scanToFork();
      await live.depositNative(orderId, asked);
      await scan();
      await dropSince(point);
      await live.depositNative(orderId, asked + 1n);
      await crashingScan();
      expect(await outcomes()).to.deep.equal(["fill-due"]);
      await scan();
      expect(await outcomes()).to.deep.equal(["DEPOSIT_REORGED", "DOUBLE_SPEND"]);
    });
  });
});
