import { expect } from "chai";
import { AbiCoder, getBytes, hashMessage, keccak256, zeroPadValue } from "ethers";
import fc from "fast-check";
import { type Hex, size } from "viem";
import { encodeRecord, hashRecord } from "../../../src/records/encodeRecord.ts";
import type { SignatureRecord } from "../../../src/records/SignatureRecord.ts";
import { maxUint256, signatureRecord } from "./support/arbitraries.ts";
import { expectInvalid } from "./support/typedFailure.ts";
import { record } from "./support/vectors.ts";

/** The record's encoding by ethers, which shares no code with the library. */
function encodeWithEthers(fields: SignatureRecord): string {
  return AbiCoder.defaultAbiCoder().encode(
    ["bytes32", "uint256", "bytes32", "bytes32", "uint256", "uint256", "bytes32"],
    [
      fields.requestId,
      fields.originChainId,
      zeroPadValue(fields.originUser, 32),
      zeroPadValue(fields.originCurrency, 32),
      fields.originAmount,
      fields.destinationChainId,
      zeroPadValue(fields.destinationUser, 32),
    ],
  );
}

describe("the published record", () => {
  // @spec signature/hash signature/encoding
  it("has the encoding and the hashes that the service signed", () => {
    expect(size(encodeRecord({ record }))).to.equal(224);
    expect(hashRecord({ record })).to.deep.equal({
      digest: "0xfa2f5b2353460a1e5d1e7bed44f14c35d9e7ced663d9ac104f758919011384cd",
      hash: "0x90b6e106cb46dfb411fa528da7f5177ecaf4761f6b7242f00418cc7d4285943c",
    });
  });
});

describe("encodeRecord and hashRecord", () => {
  // @spec signature/encoding signature/hash
  it("agree with another encoder on any record", () => {
    fc.assert(
      fc.property(signatureRecord, (fields) => {
        const encoded = encodeWithEthers(fields);
        const hash = keccak256(encoded);
        expect(encodeRecord({ record: fields })).to.equal(encoded);
        expect(hashRecord({ record: fields })).to.deep.equal({ digest: hashMessage(getBytes(hash)), hash });
      }),
      { numRuns: 200 },
    );
  });

  it("do not depend on the letter case of ids and addresses", () => {
    const upper = (value: Hex): Hex => `0x${value.slice(2).toUpperCase()}`;
    fc.assert(
      fc.property(signatureRecord, (fields) => {
        const shouted: SignatureRecord = {
          ...fields,
          destinationUser: upper(fields.destinationUser),
          originCurrency: upper(fields.originCurrency),
          originUser: upper(fields.originUser),
          requestId: upper(fields.requestId),
        };
        expect(hashRecord({ record: shouted })).to.deep.equal(hashRecord({ record: fields }));
      }),
      { numRuns: 50 },
    );
  });

  it("give every field a part in the hash", () => {
    const other: Omit<SignatureRecord, "destinationUser" | "originUser"> = {
      destinationChainId: record.originChainId,
      originAmount: record.originAmount + 1n,
      originChainId: record.destinationChainId,
      originCurrency: record.originUser,
      requestId: `0x${"01".repeat(32)}`,
    };
    const changed: SignatureRecord[] = [
      ...Object.entries(other).map(([field, value]) => ({ ...record, [field]: value })),
      { ...record, destinationUser: record.originCurrency },
      { ...record, originUser: record.originCurrency },
    ];
    const hashes = [record, ...changed].map((fields) => hashRecord({ record: fields }).hash);
    expect(new Set(hashes).size).to.equal(8);
  });

  const uints = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1];
  const lengths = ["0x", `0x${"11".repeat(19)}`, `0x${"11".repeat(21)}`, `0x${"1".repeat(41)}`, "so1111"];
  const short = [31, 33].map((length) => `0x${"11".repeat(length)}`);
  const invalid: Readonly<Record<keyof SignatureRecord, readonly unknown[]>> = {
    destinationChainId: uints,
    destinationUser: lengths,
    originAmount: [-1n, maxUint256 + 1n, 1, "1", undefined],
    originChainId: uints,
    originCurrency: lengths,
    originUser: lengths,
    requestId: ["", "0x", ...short, `0x${"zz".repeat(32)}`, "11".repeat(32), record.requestId.slice(0, -1)],
  };
  for (const [field, values] of Object.entries(invalid)) {
    it(`reject an invalid ${field} by its name`, () => {
      for (const value of values) {
        const fields = { ...record, [field]: value };
        expectInvalid(() => encodeRecord({ record: fields }), `record.${field}`, String(value));
      }
    });
  }
});
