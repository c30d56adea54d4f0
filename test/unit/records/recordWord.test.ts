import { expect } from "chai";
import fc from "fast-check";
import { recordWord } from "../../../src/records/SignatureRecord.ts";
import { address, bytes, bytes32 } from "./support/arbitraries.ts";
import { expectInvalid } from "./support/typedFailure.ts";

describe("recordWord", () => {
  it("puts the zeros before an EVM address", () => {
    expect(recordWord("0xf3d63166F0Ca56C3c1A3508FcE03Ff0Cf3Fb691e")).to.equal(
      "0x000000000000000000000000f3d63166f0ca56c3c1a3508fce03ff0cf3fb691e",
    );
    fc.assert(
      fc.property(address, (value) => {
        expect(recordWord(value)).to.equal(`0x${"00".repeat(12)}${value.slice(2)}`);
      }),
    );
  });

  it("leaves an address of 32 bytes as it is", () => {
    fc.assert(
      fc.property(bytes32, (value) => {
        expect(recordWord(value)).to.equal(value);
      }),
    );
  });

  it("refuses every other length, by the name it was given", () => {
    const otherLengths = bytes(0, 40).filter((value) => value.length !== 42 && value.length !== 66);
    fc.assert(
      fc.property(otherLengths, (value) => {
        const { message } = expectInvalid(() => recordWord(value, "record.originUser"), "record.originUser");
        expect(message).to.include(`${(value.length - 2) / 2} bytes`);
      }),
    );
  });
});
