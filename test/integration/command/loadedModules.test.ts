import { fork } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";

type Start = { readonly cpuMs: number; readonly loaded: readonly string[] };

const privateChains = [{ id: 31338, uuid: "6f1c8a54-3b9e-4b1c-9d59-0a4d8b0f7c11" }];
/** Limit of what all other kinds of chains add to the start of two EVM chains. */
const mostAddedMs = 1_000;

/** Starts an emulator in a process of its own. */
async function start(parameters: object): Promise<Start> {
  const script = new URL("./loadedModulesProcess.ts", import.meta.url);
  const execArgv = ["--disable-warning=ExperimentalWarning"];
  const [sent] = await once(fork(script, [JSON.stringify(parameters)], { execArgv }), "message");
  return sent as Start;
}

describe("the start of an emulator in a process of its own", function () {
  this.timeout(60_000);

  it("EVM chains and exchange: load neither litesvm nor pg; all kinds of chains take at most a second of CPU more", async () => {
    const kinds = [{}, { perps: true, privateChains }, { perps: true, privateChains, svm: true }];
    const [evm, exchange, all] = (await Promise.all(kinds.map(start))) as [Start, Start, Start];
    expect([evm.loaded, exchange.loaded]).to.deep.equal([[], []]);
    expect(all.loaded).to.deep.equal(["@solana/kit", "litesvm"]);
    expect(all.cpuMs - evm.cpuMs).to.be.below(mostAddedMs);
  });
});
