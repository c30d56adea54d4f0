import { expect } from "chai";
import { numberToHex } from "viem";
import { type HeadTracker, trackHead } from "../../../../../emulator/chains/evm/trackHead.ts";
import type { ChainHead } from "../../../../../emulator/chains/rpc.ts";

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

  it("the start: reads every field of the newest block", async () => {
    const { tracker } = await track();
    expect(tracker.head()).to.deep.equal(block(1));
  });

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

  it("an unannounced block: is found by polling", async () => {
    const { heard, node, tracker } = await track(1);
    node.newest = block(5);
    while (heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect([tracker.head().number, heard]).to.deep.equal([5n, [5n]]);
  });

  it("a node that was away: is polled again", async () => {
    const { heard, node } = await track(1);
    node.isAway = true;
    const { asked } = node;
    while (node.asked < asked + 3) await new Promise((resolve) => setTimeout(resolve, 1));
    node.newest = block(9);
    node.isAway = false;
    while (heard.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(heard).to.deep.equal([9n]);
  });

  it("an answer older than a block announced meanwhile: is ignored", async () => {
    const { heard, tracker } = await track();
    const asked = tracker.refresh();
    tracker.announce(block(2));
    await asked;
    expect([tracker.head().number, heard]).to.deep.equal([2n, [2n]]);
  });

  it("removed listeners, and all after `stop`: are not called", async () => {
    const { end, heard, tracker } = await track();
    end();
    tracker.announce(block(2));
    const other: bigint[] = [];
    tracker.onBlock(({ number }) => other.push(number));
    tracker.stop();
    tracker.announce(block(3));
    expect([heard, other, tracker.head().number]).to.deep.equal([[], [], 2n]);
  });
});
