import {
  AbiCoder,
  concat,
  getBytes,
  HDNodeWallet,
  keccak256,
  Signature,
  toBeHex,
  zeroPadValue,
} from "ethers";

/** The seven signed fields; addresses are given as 20 bytes and padded here. */
export interface RecordFields {
  readonly requestId: string;
  readonly originChainId: bigint;
  readonly originUser: string;
  readonly originCurrency: string;
  readonly originAmount: bigint;
  readonly destinationChainId: bigint;
  readonly destinationUser: string;
}

const TYPES = ["bytes32", "uint256", "bytes32", "bytes32", "uint256", "uint256", "bytes32"];
const MNEMONIC = "test test test test test test test test test test test junk";

/** A key of the well-known test mnemonic. */
export function testWallet(index: number): HDNodeWallet {
  return HDNodeWallet.fromPhrase(MNEMONIC, "", `m/44'/60'/0'/0/${index}`);
}

export function padded(address: string): string {
  return zeroPadValue(address, 32);
}

/** Returns the record in the contract's form: addresses left-padded to a word. */
export function recordWords(fields: RecordFields): RecordFields {
  return {
    ...fields,
    originUser: padded(fields.originUser),
    originCurrency: padded(fields.originCurrency),
    destinationUser: padded(fields.destinationUser),
  };
}

/** Encodes with ethers, independently of the library and the contracts. */
function recordHash(fields: RecordFields): string {
  const words = recordWords(fields);
  return keccak256(
    AbiCoder.defaultAbiCoder().encode(TYPES, [
      words.requestId,
      words.originChainId,
      words.originUser,
      words.originCurrency,
      words.originAmount,
      words.destinationChainId,
      words.destinationUser,
    ]),
  );
}

/** The 65-byte signature of `wallet` over `fields`. */
export function signRecord(wallet: HDNodeWallet, fields: RecordFields): string {
  return wallet.signMessageSync(getBytes(recordHash(fields)));
}

/** The 64-byte form of ERC-2098. */
export function compactSignature(signature: string): string {
  return Signature.from(signature).compactSerialized;
}

/** The other signature that recovers to the same key: `s` mirrored into the upper half of the curve order. */
export function mirroredSignature(signature: string): string {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const { r, s, v } = Signature.from(signature);
  return concat([r, toBeHex(order - BigInt(s), 32), toBeHex(v === 27 ? 28 : 27)]);
}

/** A request id without zero bytes, so that its calldata costs the same for every number. */
export function requestIdOf(number: number): string {
  return keccak256(toBeHex(number, 32)).replaceAll(/00(?=(?:..)*$)/g, "01");
}
