import { expect } from "chai";
import { type Address, encodeDeployData, getContractAddress, type Hex, MethodNotFoundRpcError } from "viem";
import type { Chain } from "../../../../../../emulator/chains/Chain.ts";
import { pendingNonce } from "../../../../../../emulator/chains/rpc.ts";
import { readArtifact } from "../../../../../../emulator/chains/setup/placeContracts.ts";
import { findDeposits } from "../../../../../../emulator/solver/ledgers/evm/findDeposits.ts";
import { ChainMovedError, readBlocks } from "../../../../../../emulator/solver/receipts/readBlocks.ts";
import { failureOf } from "../../../../../helpers/failureOf.ts";
import {
  accounts,
  type Call,
  depositNativeData,
  type LiveChain,
  payer,
  solver,
  startLiveChain,
  taggedTransfer,
  together,
  transferData,
} from "../../../support/liveChain.ts";

const tagA: Hex = `0x${"a1".repeat(32)}`;

const tagB: Hex = `0x${"b2".repeat(32)}`;

const other: Address = accounts.users[1]?.account.address ?? "0x";

const lower = (address: Address) => address.toLowerCase();

const payerId = lower(payer);

describe("findDeposits", () => {
  let live: LiveChain;
  let contracts: Chain["contracts"];
  let aggregator: string;
  const logged: string[] = [];
  before("starting a chain", async function () {
    this.timeout(60_000);
    live = await startLiveChain(31_397, "gamma");
    ({ contracts } = live.chain);
    aggregator = lower(contracts.multicall3);
  });
  after(() => live?.chain.close());
  beforeEach(() => {
    logged.length = 0;
  });

  /** The deposits in the blocks that `act` makes, and the number of traced transactions. */
  async function foundIn(act: () => Promise<unknown>, chain: Chain = live.chain) {
    const before = await live.chain.client.getBlockNumber();
    await act();
    const after = await live.chain.client.getBlockNumber();
    live.forget();
    const blocks = await readBlocks(chain.rpc, before + 1n, after);
    const found = await findDeposits(chain, blocks, { log: ({ message }) => logged.push(message), solver });
    return { found, traces: live.asked.get("debug_traceTransaction") ?? 0 };
  }

  /** Expects deposits, each as its tag, amount and depositors, found with a number of traces. */
  async function expectFound(
    act: () => Promise<unknown>,
    deposits: readonly (readonly [tag: Hex, amount: bigint, ...depositors: string[]])[],
    traces: number,
  ): Promise<void> {
    const { found, traces: made } = await foundIn(act);
    expect(found.map(({ amount, depositors, tag }) => [tag, amount, ...depositors])).to.deep.equal(deposits);
    expect(made).to.equal(traces);
  }

  async function sendAll(calls: readonly Call[], from = payer): Promise<void> {
    for (const call of calls) await live.send(call, from);
  }
  const through = (...calls: Call[]) => live.send(together(contracts.multicall3, calls));
  const toSolver = (data: Hex, value: bigint): Call => ({ data, to: solver, value });
  const toReceiver = (data: Hex, value: bigint): Call => ({ data, to: contracts.relayReceiver, value });
  const deploy = (data: Hex, value = "0x0") =>
    live.chain.rpc("eth_sendTransaction", [{ data, from: payer, gas: "0x4c4b40", value }]);
  /** The chain with a node that fails to trace. */
  const withoutTraces = (error: Error): Chain => ({
    ...live.chain,
    rpc: async (method, params) => {
      if (method === "debug_traceTransaction") throw error;
      return live.chain.rpc(method, params);
    },
  });

  it("payments of zero, and payments without a tag: are no deposits", async () => {
    const { found } = await foundIn(async () => {
      await sendAll([toReceiver(tagA, 0n), toReceiver("0x1234", 5n)]);
      await through(toReceiver(tagA, 0n), toReceiver("0x", 3n));
    });
    expect(found).to.deep.equal([]);
  });

  it("native currency sent to the solver: is a deposit with a value and a tag of 32 bytes, without a trace", async () => {
    const calls = [
      toSolver(tagA, 9n),
      toSolver("0x", 9n),
      toSolver("0x1234", 9n),
      toSolver(tagA, 0n),
      { data: tagA, to: other, value: 9n },
    ];
    await expectFound(() => sendAll(calls), [[tagA, 9n, payerId]], 0);
  });

  it("native currency that a contract sends to the solver: is found by a trace", async () => {
    const act = () => through(toSolver(tagA, 4n), toSolver("0x", 4n), toSolver(tagB, 6n));
    const expected = [
      [tagA, 4n, aggregator, payerId],
      [tagB, 6n, aggregator, payerId],
    ] as const;
    await expectFound(act, expected, 1);
  });

  it("transactions of the solver itself: are no deposits, and are not traced", async () => {
    const call = toSolver(tagA, 9n);
    await expectFound(() => sendAll([call, together(contracts.multicall3, [call])], solver), [], 0);
  });

  it("equal token transfers of one transaction: each gets its own tag", async () => {
    const to = live.token("USDC");
    await live.send({ data: transferData(contracts.multicall3, 60n), to });
    const tags = [tagA, tagB, "0x"] as const;
    const { found, traces } = await foundIn(() =>
      through(...tags.map((tag) => ({ data: taggedTransfer(solver, 20n, tag), to }))),
    );
    expect(found.map(({ amount, tag }) => [tag, amount])).to.deep.equal([
      [tagA, 20n],
      [tagB, 20n],
    ]);
    expect(traces).to.equal(1);
  });

  it("events of a copy of the depository: are no deposits", async () => {
    const { abi, bytecode } = readArtifact("service/RelayDepository");
    const nonce = await pendingNonce(live.chain.rpc, payer);
    const copy = getContractAddress({ from: payer, nonce: BigInt(nonce) });
    const { found } = await foundIn(async () => {
      await deploy(encodeDeployData({ abi, args: [payer, payer], bytecode }));
      await live.send({ data: depositNativeData(payer, tagA), to: copy, value: 7n });
    });
    expect(await live.chain.client.getBalance({ address: copy })).to.equal(7n);
    expect(found).to.deep.equal([]);
  });

  it("a node without traces: finds what needs none, and logs once what it cannot find", async () => {
    const { found } = await foundIn(
      async () => {
        await through(toReceiver(tagA, 5n));
        await live.send(toReceiver(tagB, 6n));
      },
      withoutTraces(new MethodNotFoundRpcError(new Error("no such method"))),
    );
    expect(found.map(({ tag }) => tag)).to.deep.equal([tagB]);
    expect(logged).to.have.length(1);
    expect(logged[0]).to.match(/^gamma cannot trace/);
  });

  it("a tracer that fails: rejects with its error instead of missing a payment", async () => {
    const failing = foundIn(() => through(toReceiver(tagA, 5n)), withoutTraces(new Error("out of memory")));
    expect(await failureOf(failing)).to.have.property("message", "out of memory");
  });

  it("logs of other blocks than those read: throws ChainMovedError", async () => {
    const snapshot = await live.chain.rpc("evm_snapshot");
    await live.depositNative(tagA, 1n);
    const number = await live.chain.client.getBlockNumber();
    const blocks = await readBlocks(live.chain.rpc, number, number);
    await live.chain.rpc("evm_revert", [snapshot]);
    await live.depositNative(tagA, 2n);
    const finding = findDeposits(live.chain, blocks, { log: () => undefined, solver });
    expect(await failureOf(finding)).to.be.instanceOf(ChainMovedError);
  });
});
