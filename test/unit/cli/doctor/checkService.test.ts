import { expect } from "chai";
import { findDrift } from "../../../../cli/doctor/checkService.ts";
import { skewOf } from "../../../../cli/doctor/runDoctor.ts";
import { chainsResponseSchema } from "../../../../src/schema/chain/chain.ts";
import { statusSchema } from "../../../../src/schema/request/status.ts";

const currency = {
  address: "0x0000000000000000000000000000000000000000",
  decimals: 18,
  name: "Ether",
  symbol: "ETH",
};
const chain = { currency, displayName: "Base", id: 8453, name: "base", vmType: "evm" };
const drift = (answer: unknown) => findDrift("GET /chains", chainsResponseSchema, answer);

describe("findDrift", () => {
  it("an answer as documented: one finding without a remedy", () => {
    expect(drift({ chains: [chain] })).to.deep.equal([
      { level: "ok", message: "as documented", subject: "GET /chains" },
    ]);
  });

  it("a missing field and a changed type: fail by their places, once for a list", () => {
    const { name: _, ...nameless } = chain;
    const found = drift({ chains: [nameless, nameless, { ...chain, id: "8453" }] });
    expect(found.map(({ level }) => level)).to.deep.equal(["fail", "fail"]);
    expect(found[0]?.message).to.include("`chains.*.name`");
    expect(found[1]?.message).to.include("`chains.*.id`");
  });

  it("an undocumented field, and an undocumented status: warn by name", () => {
    expect(
      drift({ chains: [{ ...chain, moon: 1 }], tide: 2 }).map(({ level, message }) => `${level} ${message}`),
    ).to.have.members(["warn undocumented field `chains.*.moon`", "warn undocumented field `tide`"]);
    const found = findDrift("GET /intents/status/v3", statusSchema, { status: "paused" });
    expect(found[0]).to.deep.include({ level: "warn", message: 'undocumented value "paused" of `status`' });
  });

  it("text in place of an answer: fails", () => {
    expect(drift("<html>")[0]).to.include({ level: "fail" });
  });
});

describe("skewOf", () => {
  it("a clock that differs: ok up to half a minute, then a warning, and a failure above five minutes", () => {
    const levels = [29, -29, 30, -300, 301, -301].map((seconds) => skewOf(seconds).level);
    expect(levels).to.deep.equal(["ok", "ok", "warn", "warn", "fail", "fail"]);
    expect(skewOf(-40).message).to.equal("the service's clock is 40 s ahead of this machine's");
  });
});
