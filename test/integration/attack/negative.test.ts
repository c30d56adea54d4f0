import { expect } from "chai";
import { TypedDataEncoder } from "ethers";
import { hashTypedData } from "viem";

/** What wallets make of the proven value of A9. */
describe("attack: a negative value", () => {
  it("A9: is signed by nobody", () => {
    const types = { Permit: ["owner:address", "spender:address", "value:uint256", "nonce:uint256", "deadline:uint256"].map((t) => ({ name: t.split(":")[0]!, type: t.split(":")[1]! })) };
    const a = `0x${"11".repeat(20)}` as const;
    const message = { deadline: "5", nonce: "0", owner: a, spender: a, value: "-5" };
    const domain = { chainId: 1, name: "a", verifyingContract: a, version: "1" };
    for (const [name, sign] of [
      ["viem", () => hashTypedData({ domain, message, primaryType: "Permit", types } as never)],
      ["ethers", () => TypedDataEncoder.hash(domain, types, message)],
    ] as const) {
      let end = "";
      try { end = sign(); } catch (error) { end = `throws ${(error as Error).message.slice(0, 60)}`; }
      console.log(name, end);
      expect(end).to.match(/^throws/);
    }
  });
});
