import { expect } from "chai";
import { numberToHex } from "viem";
import { httpRpc, isTransportError } from "../../../../../emulator/chains/evm/httpRpc.ts";
import { type HeadTracker, trackHead } from "../../../../../emulator/chains/evm/trackHead.ts";
import { startChain } from "../../../../../emulator/chains/local/startChain.ts";
import { type ChainHead, latestHead, type Rpc } from "../../../../../emulator/chains/rpc.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";
import { type MortalRpc, type RpcFault, startMortalRpc } from "../../../../helpers/network/mortalRpc.ts";

const timeoutMs = 300;

const faults: readonly RpcFault[] = ["hang", "drop", "html", "truncate", { delayMs: 5 * timeoutMs }];

describe("httpRpc", () => {
  let chain: Awaited<ReturnType<typeof startChain>>;
  let node: MortalRpc;
  let rpc: Rpc;
  before(async () => {
    chain = await startChain({ displayName: "alpha", id: 31_337, name: "alpha" }, "127.0.0.1", 0);
    node = await startMortalRpc({ rpcUrl: chain.rpcUrl });
    rpc = httpRpc(node.url, timeoutMs);
  });
  beforeEach(() => {
    node.asked.length = 0;
    node.fault = undefined;
  });
  after(async () => {
    node?.stop();
    await chain?.close();
  });
  /** Makes the first requests fail. */
  const failTimes = (times: number, fault: RpcFault) => {
    let left = times;
    node.fault = () => (left-- > 0 ? fault : undefined);
  };

  for (const fault of faults) {
    const name = typeof fault === "string" ? fault : "late answer";
    it(`${name} once: a read is repeated and answered`, async () => {
      failTimes(1, fault);
      expect(await rpc("eth_chainId")).to.equal("0x7a69");
      expect(node.asked).to.have.length(2);
    });

    it(`${name} twice: a read fails within two time limits, as a transport error`, async () => {
      failTimes(2, fault);
      const started = performance.now();
      expect(await failureOf(rpc("eth_chainId"))).to.satisfy(isTransportError);
      expect(performance.now() - started).to.be.below(4 * timeoutMs);
      expect(node.asked).to.have.length(2);
    });

    it(`${name} once: a call that changes the chain is not repeated`, async () => {
      const { number } = await latestHead(chain.rpc);
      failTimes(1, fault);
      expect(await failureOf(rpc("evm_mine"))).to.satisfy(isTransportError);
      expect(node.asked).to.have.length(1);
      await new Promise((resolve) => setTimeout(resolve, typeof fault === "string" ? 0 : fault.delayMs));
      expect(Number((await latestHead(chain.rpc)).number - number)).to.be.at.most(1);
    });
  }

  it("an error that the node answers: is not repeated, and keeps its code", async () => {
    const error = await failureOf(rpc("eth_getBalance", ["no address", "latest"]));
    expect(error).to.include({ name: "RpcRequestError", code: -32_602 });
    expect(node.asked).to.have.length(1);
  });
});

/** A block of a branch; blocks of one number and branch are the same. */
function block(number: number, branch = 0): ChainHead {
  const hash = numberToHex(branch * 1_000 + number + 1, { size: 32 });
  return { baseFeePerGas: 7n, hash, number: BigInt(number), parentHash: hash, timestamp: 5n };
}

function onWire({ baseFeePerGas, number, timestamp, ...rest }: ChainHead): object {
  return {
    ...rest,
    baseFeePerGas: numberToHex(baseFeePerGas),
    number: numberToHex(number),
    timestamp: numberToHex(timestamp),
    transactions: [],
  };
}

describe("trackHead", () => {
  const started: HeadTracker[] = [];
  afterEach(() => {
    for (const tracker of started.splice(0)) tracker.stop();
  });

  /** A tracker of a node whose newest block is in `node.newest`. */
  async function track(pollMs = 60_000) {
    const node = { asked: 0, isAway: false, newest: block(1) };
    const tracker = await trackHead(
      async () => {
        node.asked++;
        if (node.isAway) throw new Error("away");
        return onWire(node.newest);
      },
      () => pollMs,
    );
    started.push(tracker);
    const heard: bigint[] = [];
    const end = tracker.onBlock(({ number }) => heard.push(number));
    return { end, heard, node, tracker };
  }

  it("an announced block: becomes the head without a call, and is reported once", async () => {
    const { heard, node, tracker } = await track();
    tracker.announce(block(2));
    tracker.announce(block(2));
    expect([tracker.head().number, heard, node.asked]).to.deep.equal([2n, [2n], 1]);
  });

  it("block seconds: are the least between two blocks, and at least one", async () => {
    const { tracker } = await track();
    const seconds = [tracker.blockSeconds()];
    const at = (number: number, timestamp: bigint) => {
      tracker.announce({ ...block(number), timestamp });
      seconds.push(tracker.blockSeconds());
    };
    at(2, 105n);
    // Three blocks of twelve seconds, of which two were not announced.
    at(5, 141n);
    at(6, 1_000n);
    at(5, 1_000n);
    at(6, 1_000n);
    expect(seconds).to.deep.equal([1, 100, 12, 12, 12, 1]);
  });

  it("a replaced block, and an earlier head: are reported", async () => {
    const { heard, tracker } = await track();
    tracker.announce(block(2));
    tracker.announce(block(2, 1));
    tracker.announce(block(1));
    expect(heard).to.deep.equal([2n, 2n, 1n]);
  });
});
