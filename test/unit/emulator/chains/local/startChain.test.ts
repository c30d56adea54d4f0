import { expect } from "chai";
import { createPublicClient, custom, http, maxUint256, type PublicClient, parseEther } from "viem";
import { revertReason } from "../../../../../emulator/router/revertReason.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { accounts, type LiveChain, payer, startLiveChain, transferData } from "../../support/liveChain.ts";
import { until } from "../../support/waiting.ts";

type Client = Pick<PublicClient, "call" | "estimateGas" | "request">;

describe("startChain", () => {
  let live: LiveChain;
  let outside: PublicClient;
  before("starting a chain", async function () {
    this.timeout(60_000);
    live = await startLiveChain(31_399, "gamma");
    outside = createPublicClient({ cacheTime: 0, transport: http(live.chain.rpcUrl, { retryCount: 0 }) });
  });
  after(() => live?.chain.close());

  const send = (client: Client) =>
    client.request({
      method: "eth_sendTransaction",
      params: [{ from: payer, to: payer, value: "0x1" }],
    } as never);

  it("a transaction over HTTP: is on the chain in this process, which has the same id", async () => {
    const { client } = live.chain;
    expect([await outside.getChainId(), await client.getChainId()]).to.deep.equal([31_399, 31_399]);
    const hash = await send(outside);
    expect((await client.getTransactionReceipt({ hash })).status).to.equal("success");
  });

  it("a transaction of another client: its block is announced and becomes the head", async () => {
    const { chain } = live;
    const announced = new Promise<bigint>((resolve) => {
      const end = chain.onBlock(({ number }) => {
        end();
        resolve(number);
      });
    });
    const before = await chain.client.getBlockNumber();
    await send(outside);
    expect(await announced).to.equal(before + 1n);
    const { baseFeePerGas, hash, number, parentHash, timestamp } = await chain.client.getBlock();
    expect(chain.head()).to.deep.equal({ baseFeePerGas, hash, number, parentHash, timestamp });
  });

  it("a chain that goes back to an earlier block: the head goes back with it", async () => {
    const { chain } = live;
    const snapshot = await chain.rpc("evm_snapshot");
    const { hash } = chain.head();
    await send(chain.client);
    await until(() => chain.head().hash !== hash);
    await chain.rpc("evm_revert", [snapshot]);
    await until(() => chain.head().hash === hash);
  });

  it("a reverted call, a balance too low and an unknown method: have the same outcome in this process and over HTTP", async () => {
    const failures = async (client: Client) => {
      const data = transferData(payer, maxUint256);
      const call = { account: payer, data, to: live.token("USDC") };
      const { address } = accounts.allocator.account;
      const transfer = { account: address, to: payer, value: parseEther("1000000") };
      const outcomeOf = (promise: Promise<unknown>) => promise.then(String, (error: Error) => error.name);
      return {
        poor: await outcomeOf(client.estimateGas(transfer)),
        reverted: revertReason(await failureOf(client.call(call))),
        unknown: await outcomeOf(client.request({ method: "no_such" } as never)),
      };
    };
    const inside = await failures(live.chain.client);
    expect(inside).to.deep.equal(await failures(outside));
    expect(inside.reverted.message).to.match(/^ERC20InsufficientBalance\(/);
  });

  it("parameters that are no list: are rejected", async () => {
    const transport = custom(live.chain.client.transport, { retryCount: 0 });
    const client = createPublicClient({ transport });
    const asked = client.request({ method: "eth_getBalance", params: { of: payer } } as never);
    expect(await failureOf(asked))
      .to.be.instanceOf(Error)
      .with.property("message")
      .that.matches(/a list is needed/);
  });
});
