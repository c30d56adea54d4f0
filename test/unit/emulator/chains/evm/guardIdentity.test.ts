import { expect } from "chai";
import { HttpRequestError } from "viem";
import { ChainReplacedError, guardIdentity } from "../../../../../emulator/chains/evm/guardIdentity.ts";
import type { LogEntry } from "../../../../../emulator/log/LogEntry.ts";
import { failureOf } from "../../../../helpers/failureOf.ts";

const hash = (digit: string) => `0x${digit.repeat(64)}`;

/** A node whose chain can be replaced; it counts the calls that do not read its identity. */
function node() {
  const state = { calls: 0, chainId: "0x1", genesis: hash("1"), isAway: false };
  const rpc = async (method: string, params: readonly unknown[] = []) => {
    if (state.isAway) throw new HttpRequestError({ url: "http://127.0.0.1:1" });
    if (method === "eth_chainId") return state.chainId;
    if (method === "eth_getBlockByNumber" && params[0] === "0x0") {
      return { hash: state.genesis, number: "0x0", parentHash: hash("0"), timestamp: "0x0" };
    }
    state.calls++;
    return "0x5";
  };
  return { rpc, state };
}

async function guarded() {
  const { rpc, state } = node();
  const lines: LogEntry[] = [];
  const guard = await guardIdentity(rpc, { id: 1, name: "alpha" }, (entry) => lines.push(entry));
  return { ...guard, lines, state };
}

describe("guardIdentity", () => {
  for (const [what, change] of [
    ["another first block", { genesis: hash("2") }],
    ["another chain id", { chainId: "0x2" }],
  ] as const) {
    it(`a lost connection, then ${what}: calls are refused before they reach the node, and logged once`, async () => {
      const { lines, rpc, state } = await guarded();
      state.isAway = true;
      expect(await failureOf(rpc("eth_getBalance"))).to.be.instanceOf(HttpRequestError);
      Object.assign(state, { ...change, isAway: false });
      for (const method of ["eth_getBalance", "eth_sendRawTransaction"]) {
        expect(await failureOf(rpc(method))).to.be.instanceOf(ChainReplacedError);
      }
      expect(state.calls).to.equal(0);
      expect(lines).to.have.length(1);
    });
  }

  it("an unfounded suspicion: calls reach the node after one check", async () => {
    const { lines, rpc, state, suspect } = await guarded();
    suspect();
    expect(await Promise.all([rpc("eth_getBalance"), rpc("eth_getBalance")])).to.deep.equal(["0x5", "0x5"]);
    expect([state.calls, lines.length]).to.deep.equal([2, 0]);
  });

  it("the right node back after another one: calls reach it, and its return is logged", async () => {
    const { confirm, lines, rpc, state } = await guarded();
    state.genesis = hash("2");
    expect(await failureOf(confirm())).to.be.instanceOf(ChainReplacedError);
    state.genesis = hash("1");
    await confirm();
    expect(await rpc("eth_getBalance")).to.equal("0x5");
    expect(lines.map(({ level }) => level)).to.deep.equal(["error", "info"]);
  });

  it("a node that is away during the check: the suspicion stays", async () => {
    const { rpc, state, suspect } = await guarded();
    suspect();
    state.isAway = true;
    expect(await failureOf(rpc("eth_getBalance"))).to.be.instanceOf(HttpRequestError);
    Object.assign(state, { genesis: hash("2"), isAway: false });
    expect(await failureOf(rpc("eth_getBalance"))).to.be.instanceOf(ChainReplacedError);
  });
});
