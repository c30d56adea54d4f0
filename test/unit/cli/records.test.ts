import { readFileSync } from "node:fs";
import { expect } from "chai";
import { type Hex, pad } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { attestFile } from "../../../cli/records/attestFile.ts";
import { hashRecord } from "../../../src/records/encodeRecord.ts";
import { recordFromResponse, type SignatureRecord } from "../../../src/records/SignatureRecord.ts";

const published = JSON.parse(
  readFileSync(new URL("../../vectors/attestation-ethereum-zora.json", import.meta.url), "utf8"),
);
const requestData = {
  destinationChainId: 10,
  destinationUser: `0x${"b2".repeat(20)}`,
  originAmount: "7",
  originChainId: 1,
  originCurrency: `0x${"00".repeat(20)}`,
  originUser: `0x${"a1".repeat(20)}`,
};
const requestId: Hex = `0x${"12".repeat(32)}`;
const record = recordFromResponse({ requestData, requestId });

describe("attestFile", () => {
  const solver = privateKeyToAccount(generatePrivateKey());
  const attest = async (digest: Hex) => {
    const signature = await solver.sign({ hash: digest });
    return attestFile({ requestData, requestId, signature }, solver.address);
  };

  it("the published production record: is verified, and each address shows its left-padded word", async () => {
    const attestation = await attestFile(published, published.signer);
    expect(attestation).to.deep.include({ mistakes: [], signer: published.signer, verified: true });
    const user = attestation.fields.find(({ name }) => name === "originUser");
    expect(user).to.deep.include({
      word: pad((published.requestData.originUser as Hex).toLowerCase() as Hex),
    });
  });

  const mistakes: readonly (readonly [sentence: string, digest: (signed: SignatureRecord) => Hex])[] = [
    [
      "the hash is signed without the prefix of Ethereum signed messages",
      (signed) => hashRecord({ record: signed }).hash,
    ],
  ];
  for (const [sentence, digest] of mistakes) {
    it(`a solver that signed by mistake: says that it verifies if ${sentence}`, async () => {
      const attestation = await attest(digest(record));
      expect(attestation.verified).to.equal(false);
      expect(attestation.mistakes).to.deep.equal([sentence]);
    });
  }
});
