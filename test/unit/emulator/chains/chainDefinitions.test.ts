import { expect } from "chai";
import { definitionsOf } from "../../../../emulator/chains/chainDefinitions.ts";
import { InvalidParameterError } from "../../../../src/errors/InvalidParameterError.ts";

describe("definitionsOf", () => {
  const idsOf = (...parameters: Parameters<typeof definitionsOf>) =>
    definitionsOf(...parameters).map(({ id, name }) => `${id} ${name}`);

  it("gives ids in order, names by place, and one chain per id", () => {
    expect(idsOf({})).to.deep.equal(["31337 alpha", "31338 beta"]);
    expect(idsOf({ chainCount: 1 })).to.deep.equal(["31337 alpha"]);
    expect(idsOf({ chainIds: [8453] })).to.deep.equal(["8453 alpha"]);
    expect(idsOf({ chainCount: 3, chainIds: [31_338, 5, Number.MAX_SAFE_INTEGER] })).to.deep.equal([
      "31338 alpha",
      "5 beta",
      "9007199254740991 gamma",
    ]);
  });

  // @spec perps/evm-side perps/chain-id
  it("accepts chain 999 like any other, and rejects chain 1337, the perps exchange", () => {
    expect(idsOf({ chainIds: [999, 1] })).to.deep.equal(["999 alpha", "1 beta"]);
    expect(() => definitionsOf({ chainIds: [1337, 1] })).to.throw(InvalidParameterError, "perps exchange");
  });

  it("rejects invalid ids, duplicates, ids of other virtual machines, and a count that differs from the ids", () => {
    for (const [parameters, words] of [
      [{ chainIds: [0, 1] }, "0 is no chain id"],
      [{ chainIds: [-1] }, "-1 is no chain id"],
      [{ chainIds: [1.5] }, "1.5 is no chain id"],
      [{ chainIds: [Number.NaN] }, "NaN is no chain id"],
      [{ chainIds: [2 ** 53] }, "9007199254740992 is no chain id"],
      [{ chainIds: [7, 8, 7] }, "two of them are 7"],
      [{ chainIds: [1337, 2] }, "1337 is the perps exchange"],
      [{ chainIds: [2, 792_703_809] }, "792703809 is an SVM chain"],
      [{ chainIds: [] }, "there is none"],
      [{ chainIds: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, "there can be 8"],
      [{ chainCount: 2, chainIds: [1] }, "there are 2 chains, and 1 id"],
      [{ chainCount: 1, chainIds: [1, 2] }, "there is 1 chain, and 2 ids"],
      [{ chainCount: 9 }, "from 1 to 8"],
    ] as const) {
      expect(() => definitionsOf(parameters), words).to.throw(InvalidParameterError, words);
    }
  });
});
