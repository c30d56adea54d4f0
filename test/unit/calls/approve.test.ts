import { expect } from "chai";
import { Interface } from "ethers";
import fc from "fast-check";
import { approve } from "../../../src/calls/approve.ts";
import type { Call } from "../../../src/calls/Call.ts";
import { maxUint256, uint256 } from "../records/support/arbitraries.ts";

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const spender = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const erc20 = new Interface(["function approve(address spender, uint256 amount)"]);

/** The amounts approved, in order; every call must be an approval of `token` to `spender` without value. */
function amountsOf(calls: readonly Call[]): bigint[] {
  return calls.map(({ data, to, value }) => {
    const [decodedSpender, amount] = erc20.decodeFunctionData("approve", data);
    expect({ decodedSpender, to, value }).to.deep.equal({ decodedSpender: spender, to: token, value: 0n });
    expect(data.slice(0, 10)).to.equal("0x095ea7b3");
    return amount as bigint;
  });
}

describe("approve", () => {
  it("approves exactly the amount, at every size", () => {
    fc.assert(
      fc.property(uint256, (amount) => {
        expect(amountsOf(approve({ amount, spender, token }))).to.deep.equal([amount]);
      }),
    );
  });

  it("approves zero first when asked to, but not before zero itself", () => {
    const amountsFor = (more: object) => amountsOf(approve({ spender, token, ...more }));
    expect(amountsFor({ amount: 5n, resetFirst: true })).to.deep.equal([0n, 5n]);
    expect(amountsFor({ resetFirst: true })).to.deep.equal([0n, maxUint256]);
    expect(amountsFor({ amount: 0n, resetFirst: true })).to.deep.equal([0n]);
    expect(amountsFor({ amount: 5n, resetFirst: false })).to.deep.equal([5n]);
  });
});
