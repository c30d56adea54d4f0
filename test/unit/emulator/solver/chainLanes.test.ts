import { expect } from "chai";
import type { Chain } from "../../../../emulator/chains/Chain.ts";
import { openChainLanes } from "../../../../emulator/solver/chainLanes.ts";
import { fakeChain } from "../support/fakeChains.ts";

describe("openChainLanes", () => {
  const chains = new Map([31337, 31338].map((id) => [id, fakeChain(id, `chain-${id}`)]));
  const open = () => openChainLanes({ chains, log: () => undefined }, () => undefined);

  it("searches the named chains only", async () => {
    const searched: number[] = [];
    await open().search(async ({ definition }) => void searched.push(definition.id), new Set([31338]));
    expect(searched).to.deep.equal([31338]);
  });

  it("searches an unreachable chain although it is not named, until a search succeeds", async () => {
    const lanes = open();
    await lanes.search(async () => Promise.reject(new Error("no answer")), new Set([31337]));
    expect(lanes.isAway(31337)).to.equal(true);
    const searched: number[] = [];
    const search = async ({ definition }: Chain) => void searched.push(definition.id);
    await lanes.search(search, new Set());
    await lanes.idle();
    expect(searched).to.deep.equal([31337]);
    expect(lanes.isAway(31337)).to.equal(false);
    await lanes.search(search, new Set());
    expect(searched).to.deep.equal([31337]);
  });
});
