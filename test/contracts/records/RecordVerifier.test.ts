import { readFileSync } from "node:fs";
import { expect } from "chai";
import { network } from "hardhat";
import {
  compactSignature,
  type RecordFields,
  recordWords,
  requestIdOf,
  testWallet,
} from "../../helpers/contracts/signedRecord.ts";

const { ethers, networkHelpers } = await network.create();

interface Attestation {
  readonly requestId: string;
  readonly requestData: Record<keyof Omit<RecordFields, "requestId">, string | number>;
  readonly signature: string;
  readonly signer: string;
}

const attestation: Attestation = JSON.parse(
  readFileSync(new URL("../../vectors/attestation-ethereum-zora.json", import.meta.url), "utf8"),
);

const published: RecordFields = {
  requestId: attestation.requestId,
  originChainId: BigInt(attestation.requestData.originChainId),
  originUser: String(attestation.requestData.originUser),
  originCurrency: String(attestation.requestData.originCurrency),
  originAmount: BigInt(attestation.requestData.originAmount),
  destinationChainId: BigInt(attestation.requestData.destinationChainId),
  destinationUser: String(attestation.requestData.destinationUser),
};

async function deployVerifier() {
  return ethers.deployContract("RecordVerifier");
}

/** The signer that a contract recovers; the zero address where recovery fails. */
async function signerOf(fields: RecordFields, signature: string): Promise<string> {
  const verifier = await networkHelpers.loadFixture(deployVerifier);
  try {
    return await verifier.recoverSigner(recordWords(fields), signature);
  } catch (error) {
    if (String(error).includes("SignatureRecoversNobody")) return ethers.ZeroAddress;
    throw error;
  }
}

describe("RecordVerifier", () => {
  it("recovers the production solver from both forms of the published signature", async () => {
    for (const signature of [attestation.signature, compactSignature(attestation.signature)]) {
      expect(await signerOf(published, signature)).to.equal(attestation.signer);
    }
  });

  // @spec signature/on-chain signature/hash
  it("hashes the published record to the published inner hash and digest", async () => {
    const verifier = await networkHelpers.loadFixture(deployVerifier);
    expect(await verifier.hashRecord(recordWords(published))).to.deep.equal([
      "0x90b6e106cb46dfb411fa528da7f5177ecaf4761f6b7242f00418cc7d4285943c",
      "0xfa2f5b2353460a1e5d1e7bed44f14c35d9e7ced663d9ac104f758919011384cd",
    ]);
  });

  const changes: Partial<RecordFields>[] = [
    { requestId: requestIdOf(1) },
    { originChainId: 10n },
    { originUser: testWallet(0).address },
    { originCurrency: testWallet(0).address },
    { originAmount: published.originAmount - 1n },
    { destinationChainId: 8453n },
    { destinationUser: testWallet(0).address },
  ];
  for (const change of changes) {
    // @spec signature/on-chain signature/request-id
    it(`recovers another address once ${Object.keys(change).join()} of the published record is changed`, async () => {
      expect(await signerOf({ ...published, ...change }, attestation.signature)).not.to.equal(
        attestation.signer,
      );
    });
  }
});
