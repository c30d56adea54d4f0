import { expect } from "chai";
import { verifyMessage } from "ethers";
import fc from "fast-check";
import { concatHex, type Hex, numberToHex, slice } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { hashRecord, signRecord } from "../../../src/records/encodeRecord.ts";
import { recoverSigner } from "../../../src/records/recoverSigner.ts";
import { type SignatureFault, SignatureInvalidError } from "../../../src/records/SignatureInvalidError.ts";
import { compactSignature, mirroredSignature } from "../../helpers/contracts/signedRecord.ts";
import { signatureRecord } from "./support/arbitraries.ts";
import { publishedRecord, record } from "./support/vectors.ts";

const accounts = [0, 1, 2].map((addressIndex) =>
  mnemonicToAccount("test test test test test test test test test test test junk", { addressIndex }),
);
const { digest } = hashRecord({ record });
const { signature } = publishedRecord;

/** The fault that recovery blames; fails when it blames none. */
async function faultOf(bad: string): Promise<SignatureFault> {
  const error: unknown = await recoverSigner({ digest, signature: bad as Hex }).then(
    (signer) => new Error(`recovered ${signer} from ${bad}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SignatureInvalidError)) throw error;
  expect(error.code).to.equal("SIGNATURE_INVALID");
  return error.fault;
}

describe("signRecord and recoverSigner", () => {
  it("recover the published signer from both forms of the published signature", async () => {
    expect(await recoverSigner({ digest, signature })).to.equal(publishedRecord.signer);
    const compact = compactSignature(signature) as Hex;
    expect(compact).to.have.length(130);
    expect(await recoverSigner({ digest, signature: compact })).to.equal(publishedRecord.signer);
  });

  it("make a round trip for any record and key, in 65 bytes and in 64", async () => {
    await fc.assert(
      fc.asyncProperty(signatureRecord, fc.constantFrom(...accounts), async (fields, account) => {
        const signed = await signRecord({ account, record: fields });
        const hashes = hashRecord({ record: fields });
        expect(signed).to.have.length(132);
        expect(await recoverSigner({ digest: hashes.digest, signature: signed })).to.equal(account.address);
        const compact = compactSignature(signed) as Hex;
        expect(await recoverSigner({ digest: hashes.digest, signature: compact })).to.equal(account.address);
        expect(verifyMessage(Buffer.from(hashes.hash.slice(2), "hex"), signed)).to.equal(account.address);
      }),
      { numRuns: 25 },
    );
  });

  it("refuse the mirrored signature that would recover to the same key", async () => {
    await fc.assert(
      fc.asyncProperty(signatureRecord, async (fields) => {
        const [account] = accounts;
        if (account === undefined) throw new Error("no account");
        const mirrored = mirroredSignature(await signRecord({ account, record: fields }));
        expect(await faultOf(mirrored)).to.equal("s-too-high");
      }),
      { numRuns: 10 },
    );
  });

  it("refuse a high `s` in the compact form too", async () => {
    const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
    const withS = (s: bigint) => concatHex([slice(signature, 0, 32), `0x${s.toString(16)}`]);
    expect(await faultOf(withS(halfOrder + 1n))).to.equal("s-too-high");
    expect(await faultOf(withS(2n ** 255n - 1n))).to.equal("s-too-high");
    expect(await recoverSigner({ digest, signature: withS(halfOrder) })).to.match(/^0x[0-9a-fA-F]{40}$/);
  });

  it("refuse a `v` that is neither 27 nor 28", async () => {
    for (const v of ["00", "01", "1a", "1d", "25", "ff"]) {
      expect(await faultOf(`${signature.slice(0, -2)}${v}`), v).to.equal("recovers-nobody");
    }
  });

  it("refuse an `r` that is on no point of the curve", async () => {
    const r = `${"00".repeat(31)}05`;
    expect(await faultOf(`0x${r}${signature.slice(66)}`)).to.equal("recovers-nobody");
    expect(await faultOf(`0x${r}${compactSignature(signature).slice(66)}`)).to.equal("recovers-nobody");
  });

  it("refuse every other length, half a byte, and what is not hex", async () => {
    const lengths = [0, 1, 32, 63, 66, 96, 130].map((length) => `0x${"1b".repeat(length)}`);
    const rest = [
      signature.slice(0, -1),
      `${signature}0`,
      compactSignature(signature).slice(0, -1),
      signature.slice(2),
      `0x${"zz".repeat(65)}`,
      "",
    ];
    for (const bad of [...lengths, ...rest]) expect(await faultOf(bad), bad).to.equal("length");
  });

  it("refuse an `r` or `s` of zero or beyond the curve's order with a fault of their own", async () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const word = (value: bigint) => numberToHex(value, { size: 32 });
    for (const [r, s, fault] of [
      [0n, 1n, "recovers-nobody"],
      [1n, 0n, "recovers-nobody"],
      [order, 1n, "recovers-nobody"],
      [1n, order, "s-too-high"],
    ] as const) {
      expect(await faultOf(concatHex([word(r), word(s), "0x1b"]))).to.equal(fault);
    }
  });
});
