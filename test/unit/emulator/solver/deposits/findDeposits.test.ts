import { expect } from "chai";
import {
  type Address,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  MethodNotFoundRpcError,
  maxUint256,
  numberToHex,
  zeroAddress,
} from "viem";
import type { Chain } from "../../../../../emulator/chains/Chain.ts";
import { pendingNonce } from "../../../../../emulator/chains/rpc.ts";
import { readArtifact } from "../../../../../emulator/chains/setup/artifacts.ts";
import { findDeposits } from "../../../../../emulator/solver/deposits/findDeposits.ts";
import { ChainMovedError, readBlocks } from "../../../../../emulator/solver/receipts/readBlocks.ts";
import { relayDepositoryAbi } from "../../../../../src/abi/RelayDepository.ts";
import { relayReceiverAbi } from "../../../../../src/abi/RelayReceiver.ts";
import { codeOfCalls, passesAll } from "../../../../helpers/attackCode.ts";
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
} from "../../support/liveChain.ts";

const tagA: Hex = `0x${"a1".repeat(32)}`;
const tagB: Hex = `0x${"b2".repeat(32)}`;
const other: Address = accounts.users[1]?.account.address ?? "0x";
const lower = (address: Address) => address.toLowerCase();

describe("findDeposits", () => {
  let live: LiveChain;
  const logged: string[] = [];
  before("starting a chain", async function () {
    this.timeout(60_000);
    live = await startLiveChain(31_397, "gamma");
  });
  after(() => live?.chain.close());
  beforeEach(() => {
    logged.length = 0;
  });

  /** What is found in the blocks that `act` makes, and how many transactions were traced for it. */
  async function foundIn(act: () => Promise<unknown>, chain: Chain = live.chain) {
    const before = await live.chain.client.getBlockNumber();
    await act();
    const after = await live.chain.client.getBlockNumber();
    live.forget();
    const blocks = await readBlocks(chain.rpc, before + 1n, after);
    const found = await findDeposits(chain, blocks, { log: ({ message }) => logged.push(message), solver });
    return { found, traces: live.asked.get("debug_traceTransaction") ?? 0 };
  }

  /** Tag, amount and depositors of each. */
  async function paid(act: () => Promise<unknown>) {
    const { found, traces } = await foundIn(act);
    return { deposits: found.map(({ amount, depositors, tag }) => [tag, amount, ...depositors]), traces };
  }

  const through = (...calls: Call[]) => live.send(together(live.chain.contracts.multicall3, calls));
  const viaReceiver = (tag: Hex, value: bigint): Call => ({
    data: tag,
    to: live.chain.contracts.relayReceiver,
    value,
  });

  it("finds native deposits in the depository, with whom they name and who signed, without a trace", async () => {
    const { found, traces } = await foundIn(() =>
      live.send({ data: depositNativeData(other, tagA), to: live.chain.contracts.depository, value: 7n }),
    );
    const [deposit] = found;
    const block = await live.chain.client.getBlock();
    expect(found).to.have.length(1);
    expect(deposit).to.deep.include({
      amount: 7n,
      chainId: 31_397,
      currency: zeroAddress,
      depositors: [lower(other), lower(payer)],
      id: `31397:${deposit?.txHash}:0`,
      tag: tagA,
    });
    expect(deposit?.block.hash).to.equal(block.hash);
    expect(traces).to.equal(0);
  });

  it("finds token deposits in the depository once, though the token moved too", async () => {
    const token = live.token("USDC");
    const { depository } = live.chain.contracts;
    const approve = encodeFunctionData({ abi: erc20Abi, args: [depository, 50n], functionName: "approve" });
    const data = encodeFunctionData({
      abi: relayDepositoryAbi,
      args: [payer, token, 50n, tagA],
      functionName: "depositErc20",
    });
    const { found, traces } = await foundIn(async () => {
      await live.send({ data: approve, to: token });
      await live.send({ data, to: depository });
    });
    expect(found.map(({ amount, currency, tag }) => [amount, currency, tag])).to.deep.equal([
      [50n, lower(token), tagA],
    ]);
    expect(traces).to.equal(0);
  });

  it("finds a payment to the receiver without a trace, whether it is forwarded or plain", async () => {
    const data = encodeFunctionData({ abi: relayReceiverAbi, args: [tagB], functionName: "forward" });
    const { deposits, traces } = await paid(async () => {
      await live.send(viaReceiver(tagA, 5n));
      await live.send({ data, to: live.chain.contracts.relayReceiver, value: 6n });
    });
    expect(deposits).to.deep.equal([
      [tagA, 5n, lower(payer)],
      [tagB, 6n, lower(payer)],
    ]);
    expect(traces).to.equal(0);
  });

  it("tells payments to the receiver apart that share a transaction and a tag", async () => {
    const { deposits, traces } = await paid(() => through(viaReceiver(tagA, 5n), viaReceiver(tagA, 8n)));
    const aggregator = lower(live.chain.contracts.multicall3);
    expect(deposits).to.deep.equal([
      [tagA, 5n, aggregator, lower(payer)],
      [tagA, 8n, aggregator, lower(payer)],
    ]);
    expect(traces).to.equal(1);
  });

  it("takes no payment of nothing, and none without a tag, for a deposit", async () => {
    const { deposits } = await paid(async () => {
      await live.send(viaReceiver(tagA, 0n));
      await live.send({ data: "0x1234", to: live.chain.contracts.relayReceiver, value: 5n });
      await through(viaReceiver(tagA, 0n), { data: "0x", to: live.chain.contracts.relayReceiver, value: 3n });
    });
    expect(deposits).to.deep.equal([]);
  });

  it("finds native currency sent straight to the solver, without a trace", async () => {
    const { deposits, traces } = await paid(async () => {
      await live.send({ data: tagA, to: solver, value: 9n });
      await live.send({ to: solver, value: 9n });
      await live.send({ data: "0x1234", to: solver, value: 9n });
      await live.send({ data: tagA, to: solver });
      await live.send({ data: tagA, to: other, value: 9n });
    });
    expect([deposits, traces]).to.deep.equal([[[tagA, 9n, lower(payer)]], 0]);
  });

  it("finds native currency that contracts send to the solver", async () => {
    const { deposits } = await paid(() =>
      through(
        { data: tagA, to: solver, value: 4n },
        { to: solver, value: 4n },
        { data: tagB, to: solver, value: 6n },
      ),
    );
    const aggregator = lower(live.chain.contracts.multicall3);
    expect(deposits).to.deep.equal([
      [tagA, 4n, aggregator, lower(payer)],
      [tagB, 6n, aggregator, lower(payer)],
    ]);
  });

  it("finds native currency that a contract sends to the solver on its own, called without data", async () => {
    const forwarder: Address = "0x00000000000000000000000000000000000f0a4d";
    const code = codeOfCalls({ data: tagA, to: solver, value: passesAll });
    await live.chain.rpc("hardhat_setCode", [forwarder, code]);
    const { deposits } = await paid(() => live.send({ to: forwarder, value: 5n }));
    expect(deposits).to.deep.equal([[tagA, 5n, forwarder, lower(payer)]]);
  });

  it("finds native currency that a contract sends to the solver as it is created", async () => {
    const code = codeOfCalls({ data: tagA, to: solver, value: passesAll });
    const transaction = { data: code, from: payer, gas: "0x7a120", value: "0x5" };
    const { found } = await foundIn(() => live.chain.rpc("eth_sendTransaction", [transaction]));
    expect(found.map(({ amount, tag }) => [tag, amount])).to.deep.equal([[tagA, 5n]]);
    expect(found[0]?.depositors[1]).to.equal(lower(payer));
  });

  it("does not take what the solver itself sends for a deposit", async () => {
    const { deposits, traces } = await paid(async () => {
      await live.send({ data: tagA, to: solver, value: 9n }, solver);
      await live.send(
        together(live.chain.contracts.multicall3, [{ data: tagA, to: solver, value: 9n }]),
        solver,
      );
    });
    expect([deposits, traces]).to.deep.equal([[], 0]);
  });

  it("finds a token transfer to the solver by the tag behind it, without a trace", async () => {
    const token = live.token("USDT");
    const { deposits, traces } = await paid(async () => {
      await live.send({ data: taggedTransfer(solver, 30n, tagA), to: token });
      await live.send({ data: taggedTransfer(solver, 30n, "0x"), to: token });
      await live.send({ data: taggedTransfer(other, 30n, tagA), to: token });
      await live.send({
        data: taggedTransfer(solver, 30n, `0x${"00".repeat(16)}${"a1".repeat(16)}`),
        to: token,
      });
    });
    expect([deposits, traces]).to.deep.equal([[[tagA, 30n, lower(payer), lower(payer), lower(payer)]], 0]);
  });

  it("gives each of several equal transfers of one transaction its own tag", async () => {
    const token = live.token("USDC");
    const { multicall3 } = live.chain.contracts;
    const fund = encodeFunctionData({ abi: erc20Abi, args: [multicall3, 60n], functionName: "transfer" });
    await live.send({ data: fund, to: token });
    const { deposits, traces } = await paid(() =>
      through(
        { data: taggedTransfer(solver, 20n, tagA), to: token },
        { data: taggedTransfer(solver, 20n, tagB), to: token },
        { data: taggedTransfer(solver, 20n, "0x"), to: token },
      ),
    );
    expect(deposits.map(([tag, amount]) => [tag, amount])).to.deep.equal([
      [tagA, 20n],
      [tagB, 20n],
    ]);
    expect(traces).to.equal(1);
  });

  it("does not find what was reverted inside a transaction that succeeded", async () => {
    const { multicall3 } = live.chain.contracts;
    const fails = {
      data: encodeFunctionData({ abi: erc20Abi, args: [other, maxUint256], functionName: "transfer" }),
      to: live.token("USDC"),
    };
    const strict = (calls: readonly Call[]): Call => {
      const { data = "0x", ...rest } = together(multicall3, calls);
      // One that may not fail, so that all of them are undone.
      return {
        ...rest,
        data: data.replaceAll(`${numberToHex(1, { size: 32 }).slice(2)}`, "0".repeat(64)) as Hex,
      };
    };
    const { deposits } = await paid(() =>
      through(
        strict([viaReceiver(tagA, 5n), { data: tagA, to: solver, value: 5n }, fails]),
        viaReceiver(tagB, 6n),
      ),
    );
    expect(deposits.map(([tag, amount]) => [tag, amount])).to.deep.equal([[tagB, 6n]]);
  });

  it("does not find a transaction that reverted", async () => {
    const { deposits } = await paid(() =>
      live.send({ data: taggedTransfer(solver, maxUint256, tagA), to: live.token("USDC") }),
    );
    expect(deposits).to.deep.equal([]);
  });

  it("does not take events of other contracts for the service's", async () => {
    const { abi, bytecode } = readArtifact("service/RelayDepository");
    const nonce = await pendingNonce(live.chain.rpc, payer);
    const deploy = encodeDeployData({ abi, args: [payer, payer], bytecode });
    const copy = getContractAddress({ from: payer, nonce: BigInt(nonce) });
    const { deposits } = await paid(async () => {
      await live.chain.rpc("eth_sendTransaction", [{ data: deploy, from: payer, gas: "0x4c4b40" }]);
      await live.send({ data: depositNativeData(payer, tagA), to: copy, value: 7n });
    });
    expect(await live.chain.client.getBalance({ address: copy })).to.equal(7n);
    expect(deposits).to.deep.equal([]);
  });

  it("says what it cannot find on a node that cannot trace, and finds the rest", async () => {
    const blind: Chain = {
      ...live.chain,
      rpc: async (method, params) => {
        if (method !== "debug_traceTransaction") return live.chain.rpc(method, params);
        throw new MethodNotFoundRpcError(new Error("no such method"));
      },
    };
    const { found } = await foundIn(async () => {
      await through(viaReceiver(tagA, 5n));
      await live.send(viaReceiver(tagB, 6n));
    }, blind);
    expect(found.map(({ tag }) => tag)).to.deep.equal([tagB]);
    expect(logged).to.have.length(1);
    expect(logged[0]).to.match(/^gamma cannot trace/);
  });

  it("fails, rather than overlook a payment, when the tracer does", async () => {
    const broken: Chain = {
      ...live.chain,
      rpc: async (method, params) => {
        if (method !== "debug_traceTransaction") return live.chain.rpc(method, params);
        throw new Error("out of memory");
      },
    };
    const error = await foundIn(() => through(viaReceiver(tagA, 5n)), broken).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.have.property("message", "out of memory");
  });

  it("notices when the logs are of other blocks than those that were read", async () => {
    const snapshot = await live.chain.rpc("evm_snapshot");
    await live.depositNative(tagA, 1n);
    const number = await live.chain.client.getBlockNumber();
    const blocks = await readBlocks(live.chain.rpc, number, number);
    await live.chain.rpc("evm_revert", [snapshot]);
    await live.depositNative(tagA, 2n);
    const context = { log: () => undefined, solver };
    const error = await findDeposits(live.chain, blocks, context).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(ChainMovedError);
  });
});
