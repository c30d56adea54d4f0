import { expect } from "chai";
import { type Hex, zeroAddress } from "viem";
import { getStatus } from "../../../src/client/index.ts";
import { forEachStore } from "../../helpers/processes/stores.ts";
import { idOf } from "../../helpers/requests/failureStage.ts";
import { until } from "../../helpers/requests/requestHistory.ts";
import { type SharedIntent, startMs, useSharedEmulators } from "./sharedEmulators.ts";

/** A lease, and the work after its expiry, in milliseconds. */
const takeoverMs = 40_000;

forEachStore("two emulators over one database", (kind) => {
  if (!kind.isShared) return;
  const { chains, clientOf, infos, payAll, quotes, spawned } = useSharedEmulators(kind);

  /** Waits until one of the emulators reports all requests as filled. */
  async function filled(intents: readonly SharedIntent[], index: number): Promise<readonly Hex[]> {
    const hashes: Hex[] = [];
    for (const { quote } of intents) {
      const { txHashes } = await until(
        async () => {
          const status = await getStatus(clientOf(index), { requestId: idOf(quote) });
          return status.status === "success" ? status : undefined;
        },
        `the fill of ${idOf(quote)}`,
        takeoverMs,
      );
      hashes.push(...((txHashes ?? []) as Hex[]));
    }
    return hashes;
  }

  /** Expects on the chains that each recipient has the promised amount, once, and that the solver sent nothing else. */
  async function expectPaidOnce(intents: readonly SharedIntent[], before: readonly number[]): Promise<void> {
    for (const { from, quote, recipient } of intents) {
      const to = chains().find((chain) => chain !== from) ?? from;
      expect(await to.balanceOf(zeroAddress, recipient)).to.equal(BigInt(quote.details.currencyOut.amount));
    }
    const after = await noncesOfSolver();
    const sent = after.map((nonce, index) => nonce - (before[index] ?? 0));
    expect(sent.reduce((sum, each) => sum + each, 0)).to.equal(intents.length);
  }
  const noncesOfSolver = () =>
    Promise.all(
      chains().map(({ reader }) =>
        reader.getTransactionCount({ address: infos[0]?.solver ?? "0x", blockTag: "pending" }),
      ),
    );

  it("processes of one database fill each of 40 requests once, and log no error", async function () {
    this.timeout(2 * startMs);
    const intents = await quotes(40);
    const before = await noncesOfSolver();
    await payAll(intents);
    const hashes = await filled(intents, 1);
    expect(new Set(hashes).size).to.equal(40);
    await expectPaidOnce(intents, before);
    expect(spawned.map(({ output }) => output().stderr)).to.deep.equal(["", ""]);
  });

  it("a process that is killed leaves its work to the others", async function () {
    this.timeout(2 * startMs);
    const intents = await quotes(16);
    const before = await noncesOfSolver();
    const paying = payAll(intents);
    await filled(intents.slice(0, 2), 1);
    spawned[0]?.child.kill("SIGKILL");
    await paying;
    const hashes = await filled(intents, 1);
    expect(new Set(hashes).size).to.equal(16);
    await expectPaidOnce(intents, before);
  });
});
