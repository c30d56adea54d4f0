import { expect } from "chai";
import { TypedDataEncoder } from "ethers";
import { pad, zeroAddress } from "viem";
import { hashDepositWitness, permit2TypedData } from "../../../src/records/depositWitness.ts";
import type { SignatureRecord } from "../../../src/records/SignatureRecord.ts";
import { expectPermit, expectSameHash, owner, receiver, terms, token } from "./support/permit2.ts";
import { expectInvalid } from "./support/typedFailure.ts";

const svmUser = "0x5eb4d8b4ab9f4f1a5c4e2a4b3e8a0f9d7c6b5a49382716050403020100ffeedd";

const record: SignatureRecord = {
  requestId: "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a",
  originChainId: 31_337,
  originUser: receiver,
  originCurrency: token,
  originAmount: 1_000_000n,
  destinationChainId: 8453,
  destinationUser: owner.address,
};
const transfer = { ...terms, record };

/** The types as the contract spells them, encoded with ethers and nothing of the library. */
const types = {
  DepositWitness: [
    { name: "requestId", type: "bytes32" },
    { name: "destinationChainId", type: "uint256" },
    { name: "destinationUser", type: "bytes32" },
    { name: "receiver", type: "address" },
  ],
};

describe("hashDepositWitness", () => {
  for (const [what, destinationUser] of [
    ["an EVM recipient, left-padded", owner.address],
    ["a recipient of 32 bytes, as it is", svmUser],
  ] as const) {
    it(`is the EIP-712 struct hash with ${what}`, () => {
      const expected = TypedDataEncoder.from(types).hash({
        requestId: record.requestId,
        destinationChainId: 8453n,
        destinationUser: pad(destinationUser, { size: 32 }),
        receiver,
      });
      const hash = hashDepositWitness({ receiver, record: { ...record, destinationUser } });
      expect(hash).to.equal(expected);
    });
  }

  it("changes with each field that it names, and with none that it does not", () => {
    const hash = hashDepositWitness({ receiver, record });
    for (const change of [
      { requestId: pad("0x01", { size: 32 }) },
      { destinationChainId: 8454 },
      { destinationUser: token },
    ] as const) {
      expect(hashDepositWitness({ receiver, record: { ...record, ...change } })).to.not.equal(hash);
    }
    expect(hashDepositWitness({ receiver: token, record })).to.not.equal(hash);
    const unsigned = {
      originAmount: 1n,
      originChainId: 1,
      originCurrency: zeroAddress,
      originUser: token,
    } as const;
    expect(hashDepositWitness({ receiver, record: { ...record, ...unsigned } })).to.equal(hash);
  });

  it("rejects a request id that is no word", () => {
    expectInvalid(
      () => hashDepositWitness({ receiver, record: { ...record, requestId: "0x12" } }),
      "record.requestId",
    );
  });

  it("hashDepositWitness: rejects the zero address as receiver", () => {
    expectInvalid(() => hashDepositWitness({ receiver: zeroAddress, record }), "receiver");
  });
});

describe("permit2TypedData", () => {
  it("gives a permit of exactly the record's amount to the receiver, with the witness, on the record's chain", () => {
    const typedData = permit2TypedData(transfer);
    expectPermit(typedData, 31_337, 1_000_000n);
    expect(typedData.message.witness).to.deep.equal({
      destinationChainId: 8453n,
      destinationUser: pad(owner.address, { size: 32 }).toLowerCase(),
      receiver,
      requestId: record.requestId,
    });
  });

  it("reads a token that is padded to a word", () => {
    const padded = { ...record, originCurrency: pad(token, { size: 32 }) };
    expect(permit2TypedData({ ...transfer, record: padded })).to.deep.equal(permit2TypedData(transfer));
  });

  for (const [field, value] of [
    ["originCurrency", svmUser],
    ["originCurrency", `0x0001${"0".repeat(20)}${token.slice(2)}`],
    ["originCurrency", zeroAddress],
    ["originChainId", 0],
    ["originAmount", 2n ** 256n],
  ] as const) {
    it(`rejects ${field} of ${value}, which no permit can name`, () => {
      expectInvalid(
        () => permit2TypedData({ ...transfer, record: { ...record, [field]: value } }),
        `record.${field}`,
      );
    });
  }

  it("is hashed and signed by viem as ethers does", () => expectSameHash(permit2TypedData(transfer), types));
});
