import { expect } from "chai";
import { Interface } from "ethers";
import type { Address } from "viem";
import { sweepErc20s, sweepNative } from "../../../src/calls/sweep.ts";
import { expectInvalid } from "../records/support/typedFailure.ts";

const router = "0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f";
const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const tokens = [
  "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
] as const;
const zero = "0x0000000000000000000000000000000000000000";
const sweep = { recipient, router, tokens } as const;
const shares = [tokens, [recipient, recipient], [0n, 0n]];

/** Each router's function, by its selector in production, and its arguments. */
const functions = [
  { args: [...shares, "0x"], make: sweepErc20s, selector: "0x9bb43718", version: "v3" },
  { args: shares, make: sweepErc20s, selector: "0x3b2253c8", version: "v2.1" },
  { args: [0n, recipient, "0x"], make: sweepNative, selector: "0xa6bd8c96", version: "v3" },
  { args: [0n, recipient], make: sweepNative, selector: "0x5de81e3f", version: "v2.1" },
] as const;
const signatures = new Interface([
  "function cleanupErc20s(address[],address[],uint256[])",
  "function cleanupErc20s(address[],address[],uint256[],bytes)",
  "function cleanupNative(uint256,address)",
  "function cleanupNative(uint256,address,bytes)",
]);

for (const { args, make, selector, version } of functions) {
  describe(`${make.name} of router ${version}`, () => {
    it("sweeps whole balances by the router's own function", () => {
      const { data, ...call } = make({ ...sweep, routerVersion: version });
      expect(call).to.deep.equal({ to: router, value: 0n });
      expect(data.slice(0, 10)).to.equal(selector);
      expect(signatures.decodeFunctionData(selector, data).toArray(true)).to.deep.equal(args);
    });

    it("rejects a recipient or router that cannot receive funds", () => {
      for (const wrong of [zero, "0x", "", `0x${"11".repeat(32)}`] as Address[]) {
        for (const parameter of ["recipient", "router"]) {
          const call = () => make({ ...sweep, routerVersion: version, [parameter]: wrong });
          expectInvalid(call, parameter, wrong);
        }
      }
    });
  });
}

for (const make of [sweepErc20s, sweepNative]) {
  describe(make.name, () => {
    it("sweeps by router v3 unless another version is given", () => {
      expect(make(sweep)).to.deep.equal(make({ ...sweep, routerVersion: "v3" }));
    });
  });
}

describe("sweepErc20s", () => {
  it("rejects an empty list, and an entry that is no token", () => {
    expectInvalid(() => sweepErc20s({ ...sweep, tokens: [] }), "tokens");
    for (const wrong of [zero, "0x", `0x${"11".repeat(19)}`] as Address[]) {
      expectInvalid(() => sweepErc20s({ ...sweep, tokens: [tokens[0], wrong] }), "tokens[1]", wrong);
    }
  });
});
