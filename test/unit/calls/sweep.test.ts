import { expect } from "chai";
import { Interface } from "ethers";
import type { Address } from "viem";
import { sweepErc20s, sweepNative } from "../../../src/calls/sweep.ts";
import { expectInvalid } from "../records/support/typedFailure.ts";

const router = "0xB92FE925DC43a0ECdE6c8b1a2709c170Ec4fFf4f".toLowerCase() as Address;
const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const tokens = [
  "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
] as const;
const zero = "0x0000000000000000000000000000000000000000";

/** The routers' functions by their selectors in production. */
const production = {
  "0x3b2253c8": "cleanupErc20s(address[],address[],uint256[])",
  "0x5de81e3f": "cleanupNative(uint256,address)",
  "0x9bb43718": "cleanupErc20s(address[],address[],uint256[],bytes)",
  "0xa6bd8c96": "cleanupNative(uint256,address,bytes)",
} as const;

/** The arguments of a call, which must be of the function with this selector. */
function decode(data: string, selector: keyof typeof production): unknown[] {
  expect(data.slice(0, 10)).to.equal(selector);
  const routerInterface = new Interface([`function ${production[selector]}`]);
  return routerInterface.decodeFunctionData(selector, data).toArray(true);
}

describe("sweepErc20s", () => {
  it("calls v3's function unless told otherwise, for the whole balance of each token", () => {
    for (const call of [
      sweepErc20s({ recipient, router, tokens }),
      sweepErc20s({ recipient, router, routerVersion: "v3", tokens }),
    ]) {
      expect({ to: call.to, value: call.value }).to.deep.equal({ to: router, value: 0n });
      expect(decode(call.data, "0x9bb43718")).to.deep.equal([tokens, [recipient, recipient], [0n, 0n], "0x"]);
    }
  });

  it("calls v2.1's function, which has no metadata", () => {
    const { data } = sweepErc20s({ recipient, router, routerVersion: "v2.1", tokens });
    expect(decode(data, "0x3b2253c8")).to.deep.equal([tokens, [recipient, recipient], [0n, 0n]]);
  });

  it("refuses an empty list, and what is not a token", () => {
    expectInvalid(() => sweepErc20s({ recipient, router, tokens: [] }), "tokens");
    for (const wrong of [zero, "0x", `0x${"11".repeat(19)}`] as Address[]) {
      expectInvalid(() => sweepErc20s({ recipient, router, tokens: [tokens[0], wrong] }), "tokens[1]", wrong);
    }
  });

  it("refuses a version of the router that there is not, instead of taking it for another", () => {
    for (const wrong of ["v3.0", "v2", ""]) {
      const routerVersion = wrong as "v3";
      expectInvalid(() => sweepErc20s({ recipient, router, routerVersion, tokens }), "routerVersion", wrong);
      expectInvalid(() => sweepNative({ recipient, router, routerVersion }), "routerVersion", wrong);
    }
  });

  it("refuses a recipient or router that cannot take money", () => {
    for (const wrong of [zero, "0x", "", `0x${"11".repeat(32)}`] as Address[]) {
      for (const routerVersion of ["v2.1", "v3"] as const) {
        const sweep = { recipient, router, routerVersion, tokens } as const;
        expectInvalid(() => sweepErc20s({ ...sweep, recipient: wrong }), "recipient", wrong);
        expectInvalid(() => sweepErc20s({ ...sweep, router: wrong }), "router", wrong);
      }
    }
  });
});

describe("sweepNative", () => {
  it("calls v3's function unless told otherwise, for the whole balance", () => {
    for (const call of [
      sweepNative({ recipient, router }),
      sweepNative({ recipient, router, routerVersion: "v3" }),
    ]) {
      expect({ to: call.to, value: call.value }).to.deep.equal({ to: router, value: 0n });
      expect(decode(call.data, "0xa6bd8c96")).to.deep.equal([0n, recipient, "0x"]);
    }
  });

  it("calls v2.1's function, which has no metadata", () => {
    const { data } = sweepNative({ recipient, router, routerVersion: "v2.1" });
    expect(decode(data, "0x5de81e3f")).to.deep.equal([0n, recipient]);
  });

  it("refuses a recipient or router that cannot take money", () => {
    for (const wrong of [zero, "0x", "", `0x${"11".repeat(32)}`] as Address[]) {
      for (const routerVersion of ["v2.1", "v3"] as const) {
        expectInvalid(() => sweepNative({ recipient: wrong, router, routerVersion }), "recipient", wrong);
        expectInvalid(() => sweepNative({ recipient, router: wrong, routerVersion }), "router", wrong);
      }
    }
  });
});
