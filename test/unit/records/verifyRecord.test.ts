import { expect } from "chai";
import { AbiCoder, getBytes, keccak256, zeroPadBytes } from "ethers";
import fc from "fast-check";
import type { Address, Hex } from "viem";
import { hashRecord } from "../../../src/records/encodeRecord.ts";
import type { SignatureRecord } from "../../../src/records/SignatureRecord.ts";
import { verifyRecord } from "../../../src/records/verifyRecord.ts";
import { compactSignature, testWallet } from "../../helpers/contracts/signedRecord.ts";
import { signatureRecord } from "./support/arbitraries.ts";
import { publishedRecord, record } from "./support/vectors.ts";

const { signature, signer } = publishedRecord;
const solverKey = testWallet(0);
const solver = solverKey.address as Address;

/** The test solver's signature over the record. */
function sign(fields: SignatureRecord, wallet = solverKey): Hex {
  return wallet.signMessageSync(getBytes(hashRecord({ record: fields }).hash)) as Hex;
}

/** The inner hash of right-padded addresses, computed by ethers. */
function rightPaddedHash(fields: SignatureRecord): string {
  return keccak256(
    AbiCoder.defaultAbiCoder().encode(
      ["bytes32", "uint256", "bytes32", "bytes32", "uint256", "uint256", "bytes32"],
      [
        fields.requestId,
        fields.originChainId,
        zeroPadBytes(fields.originUser, 32),
        zeroPadBytes(fields.originCurrency, 32),
        fields.originAmount,
        fields.destinationChainId,
        zeroPadBytes(fields.destinationUser, 32),
      ],
    ),
  );
}

describe("verifyRecord", () => {
  // @spec signature/signer signature/hash
  it("accepts the published record, in both forms of its signature and any letter case of the solver", async () => {
    for (const form of [signature, compactSignature(signature) as Hex]) {
      for (const address of [
        signer,
        signer.toLowerCase(),
        `0x${signer.slice(2).toUpperCase()}`,
      ] as Address[]) {
        const verdict = await verifyRecord({ record, signature: form, solver: address });
        expect(verdict).to.deep.equal({ signer, valid: true });
      }
    }
  });

  it("refuses the published record after a change of any field", async () => {
    const changes: Partial<SignatureRecord>[] = [
      { destinationChainId: 10 },
      { destinationUser: solver },
      { originAmount: record.originAmount + 1n },
      { originAmount: record.originAmount - 1n },
      { originChainId: 10 },
      { originCurrency: solver },
      { originUser: solver },
      { requestId: `0x${"22".repeat(32)}` },
    ];
    for (const change of changes) {
      const verdict = await verifyRecord({ record: { ...record, ...change }, signature, solver: signer });
      expect(verdict.valid, Object.keys(change).join()).to.equal(false);
      expect(verdict.signer).not.to.equal(signer);
      expect(verdict).not.to.have.property("mistake");
    }
  });

  it("names who forged a record", async () => {
    const forger = testWallet(1);
    const verdict = await verifyRecord({ record, signature: sign(record, forger), solver });
    expect(verdict).to.deep.equal({ signer: forger.address, valid: false });
  });

  it("names the mistake of a solver that padded addresses on the right", async () => {
    await fc.assert(
      fc.asyncProperty(signatureRecord, async (fields) => {
        fc.pre(rightPaddedHash(fields) !== hashRecord({ record: fields }).hash);
        const padded = solverKey.signMessageSync(getBytes(rightPaddedHash(fields))) as Hex;
        for (const form of [padded, compactSignature(padded) as Hex]) {
          const verdict = await verifyRecord({ record: fields, signature: form, solver });
          expect(verdict).to.include({ mistake: "addresses-right-padded", valid: false });
        }
      }),
      { numRuns: 10 },
    );
  });

  it("names the mistake of a solver that signed the hash without the message prefix", async () => {
    const bare = solverKey.signingKey.sign(hashRecord({ record }).hash).serialized as Hex;
    const verdict = await verifyRecord({ record, signature: bare, solver });
    expect(verdict).to.include({ mistake: "message-prefix-missing", valid: false });
  });

  it("names a mistake only when the solver made it", async () => {
    const stranger = testWallet(1);
    const padded = stranger.signMessageSync(getBytes(rightPaddedHash(record))) as Hex;
    const bare = stranger.signingKey.sign(hashRecord({ record }).hash).serialized as Hex;
    const both = solverKey.signingKey.sign(rightPaddedHash(record)).serialized as Hex;
    for (const wrong of [padded, bare, both]) {
      const verdict = await verifyRecord({ record, signature: wrong, solver });
      expect(verdict.valid).to.equal(false);
      expect(verdict).not.to.have.property("mistake");
    }
  });
});
