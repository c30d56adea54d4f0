import { expect } from "chai";
import { AbiCoder } from "ethers";
import fc from "fast-check";
import { getAddress, type Hex } from "viem";
import {
  decodeOrderCall,
  decodeOrderExtraData,
  encodeOrderCall,
  encodeOrderExtraData,
  type OrderCall,
} from "../../../src/records/orderCall.ts";
import { address, bytes, uint256 } from "./support/arbitraries.ts";
import { expectInvalid } from "./support/typedFailure.ts";

const coder = AbiCoder.defaultAbiCoder();
const tuples = ["tuple(address)", "tuple(bytes)", "tuple(uint256)"];
const call = { data: bytes(0, 400), to: address, value: uint256 };
const router = "0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f";

/** An encoding word by word, without an ABI coder. */
function words({ data, to, value }: OrderCall): Hex {
  const word = (number: bigint | number) => number.toString(16).padStart(64, "0");
  const content = data.slice(2);
  const padded = content.padEnd(Math.ceil(content.length / 64) * 64, "0");
  const head = [to.slice(2).toLowerCase().padStart(64, "0"), word(96), word(value)].join("");
  return `0x${head}${word(32)}${word(content.length / 2)}${padded}`;
}

describe("encodeOrderCall and decodeOrderCall", () => {
  it("carry any call as three one-member tuples, as another coder and bare words do, and read it back", () => {
    fc.assert(
      fc.property(fc.record(call), (any) => {
        const encoded = encodeOrderCall({ call: any });
        expect(encoded).to.equal(coder.encode(tuples, [[any.to], [any.data], [any.value]]));
        expect(encoded).to.equal(words(any));
        expect(decodeOrderCall({ call: encoded })).to.deep.equal({ ...any, to: getAddress(any.to) });
      }),
    );
  });

  it("refuse every encoding but the standard one", () => {
    const encoded = encodeOrderCall({ call: { data: "0x1234", to: router, value: 1n } });
    const at = (word: number, value: string): Hex =>
      `0x${encoded.slice(2, 2 + word * 64)}${value.padStart(64, "0")}${encoded.slice(66 + word * 64)}`;
    const others: readonly Hex[] = [
      `${encoded}00`,
      `${encoded}${"00".repeat(32)}`,
      encoded.slice(0, -2) as Hex,
      at(0, `01${router.slice(2)}`),
      at(1, "80"),
      at(1, "00"),
      at(3, "40"),
      at(4, "ffffffff"),
      `${encoded.slice(0, -2)}01` as Hex,
      "0x",
    ];
    for (const other of others) expectInvalid(() => decodeOrderCall({ call: other }), "call", other);
  });
});

describe("encodeOrderExtraData and decodeOrderExtraData", () => {
  it("agree with another coder on any contract", () => {
    fc.assert(
      fc.property(address, (fillContract) => {
        const extraData = encodeOrderExtraData({ fillContract });
        expect(extraData).to.equal(coder.encode(["tuple(address)"], [[fillContract]]));
        expect(decodeOrderExtraData({ extraData }).fillContract).to.equal(getAddress(fillContract));
      }),
    );
  });

  it("refuse what is not one address in 32 bytes", () => {
    for (const extraData of ["0x", "0x12", `0x01${"00".repeat(31)}`, `0x${"00".repeat(64)}`] as Hex[]) {
      expectInvalid(() => decodeOrderExtraData({ extraData }), "extraData", extraData);
    }
    expectInvalid(() => encodeOrderExtraData({ fillContract: "0x" }), "fillContract");
  });
});
