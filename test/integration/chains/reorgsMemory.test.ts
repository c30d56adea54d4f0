import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";

/** Changes of a balance, each mined into a block of its own. */
const blocks = 800;
/**
 * A block costs the chain itself 10 to 50 kB. A state kept of each block cost 226 kB here, and more with every balance that
 * was set.
 */
const mostBytesPerBlock = 100_000;

describe("the memory of an emulator that keeps chain states", function () {
  this.timeout(120_000);
  let emulator: ChildProcess;
  after(() => emulator?.kill());

  it("800 changed balances use less than 100000 bytes a block", async () => {
    const script = new URL("./reorgsMemoryProcess.ts", import.meta.url);
    const execArgv = ["--expose-gc", "--disable-warning=ExperimentalWarning"];
    emulator = fork(script, [String(blocks)], { execArgv });
    const [bytesPerBlock] = (await once(emulator, "message")) as [number];
    expect(bytesPerBlock).to.be.below(mostBytesPerBlock);
  });
});
