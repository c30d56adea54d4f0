import { expect } from "chai";
import { id, TypedDataEncoder, Wallet } from "ethers";
import fc from "fast-check";
import { type Hex, hashTypedData, hexToBytes, serializeSignature } from "viem";
import { isSignedByWallet } from "../../../emulator/http/routes/quotes/authorize.ts";
import {
  type NonceMapping,
  nonceMappingBody,
  nonceMappingTypedData,
  recoverNonceMappingSigner,
} from "../../../src/perps/nonceMapping.ts";
import { sendAssetTypedData } from "../../../src/perps/sendAsset.ts";
import { splitExchangeSignature } from "../../../src/perps/signWithdrawal.ts";
import { SignatureInvalidError } from "../../../src/records/SignatureInvalidError.ts";
import type { SendAssetParameters } from "../../../src/schema/quote/exchangeAction.ts";
import { authorizeRequestSchema } from "../../../src/schema/quote/submission.ts";
import { address, bytes32 } from "../records/support/arbitraries.ts";
import { expectInvalid } from "../records/support/typedFailure.ts";
import { account, nonce, orderId, sending, stranger } from "./support/withdrawal.ts";

const safe = fc.bigInt({ max: BigInt(Number.MAX_SAFE_INTEGER), min: 0n });
const chainId = fc.integer({ max: Number.MAX_SAFE_INTEGER, min: 1 });
const mapping: Required<NonceMapping> = {
  chainId: 8453,
  depositor: account.address,
  nonce: BigInt(nonce),
  orderId,
  wallet: account.address,
};
const typeText = (name: string, members: readonly { name: string; type: string }[]) =>
  `${name}(${members.map((member) => `${member.type} ${member.name}`).join(",")})`;

describe("a nonce mapping of the library", () => {
  // @spec perps/mapping-type
  it("has the published typehash", () => {
    const { types } = nonceMappingTypedData(mapping);
    expect(id(typeText("NonceMapping", types.NonceMapping))).to.equal(
      "0x6b0ad364bd028601374c93fa49e68dd283efb61f94bc8e4b0c7a633257c3ee30",
    );
  });

  // @spec perps/mapping-domain perps/mapping-type
  it("is hashed as another library hashes it, for any statement and chain", () => {
    fc.assert(
      fc.property(
        fc.record({ chainId, depositor: address, nonce: safe, orderId: bytes32, wallet: address }),
        (any) => {
          const { chainId: domainChainId, orderId: id, ...rest } = any;
          const zero = `0x${"00".repeat(20)}`;
          const expected = TypedDataEncoder.hash(
            { chainId: domainChainId, name: "RelayNonceMapping", verifyingContract: zero, version: "2" },
            { NonceMapping: [...nonceMappingTypedData(any).types.NonceMapping] },
            { ...rest, chainId: "hyperliquid", id },
          );
          expect(hashTypedData(nonceMappingTypedData(any))).to.equal(expected);
        },
      ),
      { numRuns: 50 },
    );
  }).timeout(20_000);

  it("is accepted by the service with its body, and for no other wallet", async () => {
    const signature = await account.signTypedData(nonceMappingTypedData(mapping));
    const body = authorizeRequestSchema.parse(JSON.parse(JSON.stringify(nonceMappingBody(mapping))));
    expect(await isSignedByWallet({ ...body, wallet: account.address }, signature)).to.equal(true);
    expect(await recoverNonceMappingSigner({ ...mapping, signature })).to.equal(account.address);
    const orderId = `0x${"00".repeat(32)}` as const;
    for (const change of [{ nonce: 1n }, { chainId: 1 }, { depositor: stranger.address }, { orderId }]) {
      const signer = await recoverNonceMappingSigner({ ...mapping, ...change, signature });
      expect(signer).not.to.equal(account.address);
    }
  });
});

describe("the typed data of sendAsset", () => {
  // @spec perps/send-asset perps/action-types
  it("has the published typehash", () => {
    const { primaryType, types } = sendAssetTypedData({ parameters: sending });
    expect(id(typeText(primaryType, types[primaryType] ?? []))).to.equal(
      "0x5f7cf397b977b076f0fbb993badfc7dd11bd71461a3d076c0940eff5f91ac849",
    );
  });

  // @spec perps/send-asset perps/sign-message perps/sign-domain
  it("is hashed as another library hashes it, for any parameters and chain", () => {
    const text = fc.string({ maxLength: 60, unit: "grapheme" });
    const parameters: fc.Arbitrary<SendAssetParameters> = fc.record({
      amount: fc.stringMatching(/^[0-9]{1,20}(\.[0-9]{1,8})?$/),
      destination: text,
      destinationDex: text,
      fromSubAccount: text,
      hyperliquidChain: text,
      nonce: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
      sourceDex: text,
      token: text,
    });
    fc.assert(
      fc.property(parameters, chainId, (any, domainChainId) => {
        const typedData = sendAssetTypedData({ chainId: domainChainId, parameters: any });
        const { primaryType } = typedData;
        const copied = { [primaryType]: [...(typedData.types[primaryType] ?? [])] };
        const domain = {
          chainId: domainChainId,
          name: "HyperliquidSignTransaction",
          verifyingContract: `0x${"00".repeat(20)}`,
          version: "1",
        };
        expect(hashTypedData(typedData)).to.equal(TypedDataEncoder.hash(domain, copied, any));
        const { signatureChainId, type, ...rest } = typedData.message;
        expect(rest).to.deep.equal(any);
        expect([type, BigInt(signatureChainId)]).to.deep.equal(["sendAsset", BigInt(domainChainId)]);
      }),
      { numRuns: 50 },
    );
  }).timeout(20_000);

  it("is refused where a field is missing, is a number, or would not be signed", () => {
    const { destination: _destination, ...short } = sending;
    const wrong: readonly (readonly [string, unknown])[] = [
      ["parameters.destination", short],
      ["parameters.amount", { ...sending, amount: 25.5 }],
      ["parameters.amount", { ...sending, amount: "1e3" }],
      ["parameters.nonce", { ...sending, nonce: 2 ** 53 }],
      ["parameters.fee", { ...sending, fee: "1" }],
      ["parameters", null],
    ];
    for (const [place, parameters] of wrong) {
      expectInvalid(() => sendAssetTypedData({ parameters: parameters as SendAssetParameters }), place);
    }
    expectInvalid(() => sendAssetTypedData({ chainId: 1.5, parameters: sending }), "chainId");
  });
});

describe("splitExchangeSignature", () => {
  // @spec perps/submit
  it("gives the parts that another library gives, from every form that wallets give", () => {
    const wallet = new Wallet(`0x${"42".repeat(32)}`);
    fc.assert(
      fc.property(bytes32, (digest) => {
        const { r, s, serialized, v, yParity, compactSerialized } = wallet.signingKey.sign(digest);
        const odd = serializeSignature({ r: r as Hex, s: s as Hex, yParity: yParity as 0 | 1 });
        const plain = `${odd.slice(0, -2)}0${yParity}`;
        for (const signature of [serialized, compactSerialized, plain] as Hex[]) {
          expect(splitExchangeSignature({ signature })).to.deep.equal({ r, s, v });
        }
        expect(hexToBytes(r as Hex)).to.have.length(32);
      }),
      { numRuns: 50 },
    );
  }).timeout(20_000);

  it("refuses signatures that no key can have made", () => {
    const high = "ff".repeat(32);
    const lengths = ["0x", "0x12", `0x${"11".repeat(66)}`];
    const values = [`0x${"11".repeat(64)}1d`, `0x${"11".repeat(32)}${high}1b`];
    for (const signature of [...lengths, ...values] as Hex[]) {
      expect(() => splitExchangeSignature({ signature }), signature).to.throw(SignatureInvalidError);
    }
  });
});
