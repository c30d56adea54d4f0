import { type Hex, isAddress, sha256, size, slice } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { decodeBase58 } from "../internal/base58.ts";
import { readHex } from "../internal/readHex.ts";
import { readText } from "../internal/readParts.ts";
import { type AddressRole, orderVmTypes, readVmAddress } from "../internal/vmAddress.ts";

/** VM types of the service's chains whose addresses can be encoded. */
export type OrderAddressVmType = "bvm" | "evm" | "hypevm" | "lvm" | "svm" | "tonvm" | "tvm" | "xrpvm";

export type EncodeOrderAddressParameters = {
  /** In the chain's text form, or its bytes in hexadecimal with `0x`. */
  address: string;
  /** `vmType` of the chain's record. */
  vmType: OrderAddressVmType;
  /** Default `account`. Accounts and currencies of the perps exchange have different lengths. */
  role?: AddressRole | undefined;
};

export type EncodeOrderAddressReturnType = Hex;

/** Marks a base58 address of Bitcoin; the first byte of the others is their witness version. */
const legacyMark = "ff";
const bitcoinAlphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const rippleAlphabet = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz";
/** The service's name of Bitcoin's currency: an address but for its program of 19 bytes. */
const bitcoinCurrency = `bc1${"q".repeat(32)}mql8k8`;
const invalid = (reason: string) => new InvalidParameterError({ parameter: "address", reason });

type Form = {
  /** The bytes as hexadecimal text of an address. */
  readonly bytes: RegExp;
  readonly decode: (address: string) => Hex;
};

/** Text forms of mainnets. Another network's address would name an account that its owner may not have here. */
const forms: Readonly<Record<string, Form>> = {
  bvm: {
    bytes: /^0x(?:ff(?:00|05)[0-9a-f]{40}|00(?:[0-9a-f]{40}|[0-9a-f]{64})|01[0-9a-f]{64})$/,
    decode: decodeBitcoin,
  },
  lvm: { bytes: /^0x0{18}[0-9a-f]{14}$/, decode: decodeIndex },
  tonvm: { bytes: /^0x[0-9a-f]{64}$/, decode: decodeTon },
  tvm: { bytes: /^0x41[0-9a-f]{40}$/, decode: (address) => decodeBase58Check(address, ["41"]) },
  xrpvm: {
    bytes: /^0x[0-9a-f]{40}$/,
    decode: (address) => slice(decodeBase58Check(address, ["00"], rippleAlphabet), 1),
  },
};

/**
 * Encodes an address as the bytes that orders contain: 20 on EVM chains, the perps exchange and the XRP Ledger, 21 on Tron,
 * 32 on SVM chains and TON, 16 on Lighter. On Bitcoin the witness version and its program, 21 or 33, or 22 for a base58
 * address: `0xff` and its payload. Verifies checksums, and rejects test networks and other workchains of TON.
 *
 * @returns The bytes, in lower case.
 * @throws {InvalidParameterError} For another form, by `address` or `vmType`.
 *
 * @example
 * import { encodeOrderAddress } from "waybill";
 *
 * encodeOrderAddress({ address: "rrrrrrrrrrrrrrrrrrrrrhoLvTp", vmType: "xrpvm" });
 * // "0x0000000000000000000000000000000000000000"
 */
export function encodeOrderAddress(parameters: EncodeOrderAddressParameters): EncodeOrderAddressReturnType {
  const { role = "account" } = parameters;
  const vmType = readText(parameters.vmType, "vmType") as OrderAddressVmType;
  const address = readText(parameters.address, "address");
  const known = orderVmTypes.find((each) => each === vmType);
  if (known !== undefined && known !== "svm") assertChecksum(address);
  if (known !== undefined) return readVmAddress(address, { parameter: "address", role, vmType: known });
  if (vmType === "bvm" && role === "currency") return readBitcoinCurrency(address);
  const form = Object.hasOwn(forms, vmType) ? forms[vmType] : undefined;
  if (form === undefined) {
    const reason = `none of ${[...orderVmTypes, ...Object.keys(forms)].join(", ")}`;
    throw new InvalidParameterError({ parameter: "vmType", reason });
  }
  if (!address.startsWith("0x")) return form.decode(address);
  const bytes = readHex(address, "address");
  if (form.bytes.test(bytes)) return bytes;
  throw invalid(`not the bytes of an address of vmType ${vmType}`);
}

/** Of mixed letter case, as EIP-55 writes it: a mistyped digit would become the recipient that a contract accepts. */
function assertChecksum(address: string): void {
  const isMixed = /[a-f]/.test(address) && /[A-F]/.test(address);
  if (isMixed && address.length === 42 && !isAddress(address)) throw invalid("its checksum is wrong");
}

function readBitcoinCurrency(address: string): Hex {
  const bytes = `0x${"00".repeat(20)}` as const;
  if (address === bitcoinCurrency || address === bytes) return bytes;
  throw invalid(`the only currency of Bitcoin is ${bitcoinCurrency}`);
}

function decodeBitcoin(address: string): Hex {
  if (!/^bc1/i.test(address)) {
    return `0x${legacyMark}${decodeBase58Check(address, ["00", "05"]).slice(2)}`;
  }
  const decoded = decodeSegwit(address);
  if (decoded !== undefined) return decoded;
  throw invalid("not a native SegWit address of Bitcoin's main network, version 0 or 1");
}

/** Decodes a version byte and 20 bytes with their checksum: 25 bytes are 25 to 35 digits. */
function decodeBase58Check(address: string, versions: readonly string[], alphabet = bitcoinAlphabet): Hex {
  const isText = /^[1-9A-HJ-NP-Za-km-z]{25,35}$/.test(address);
  const bytes = isText
    ? decodeBase58(address.replace(/./g, (digit) => bitcoinAlphabet[alphabet.indexOf(digit)] ?? ""))
    : "0x";
  if (size(bytes) !== 25) throw invalid("not 25 bytes in base58");
  const payload = slice(bytes, 0, 21);
  if (slice(sha256(sha256(payload)), 0, 4) !== slice(bytes, 21)) throw invalid("its checksum is wrong");
  const version = payload.slice(2, 4);
  if (versions.includes(version)) return payload;
  throw invalid(`its version is 0x${version}, not 0x${versions.join(" or 0x")}`);
}

/** Decodes an account's index. The service counts in doubles. */
function decodeIndex(address: string): Hex {
  const index = /^(?:0|[1-9]\d{0,15})$/.test(address) ? Number(address) : Number.NaN;
  if (!Number.isSafeInteger(index)) throw invalid("not an index below 2^53 in decimal digits");
  return `0x${index.toString(16).padStart(32, "0")}`;
}

/** Decodes the raw form, or the one with flags and checksum, of an account in workchain 0. */
function decodeTon(address: string): Hex {
  const raw = /^(-?\d{1,10}):([0-9a-fA-F]{64})$/.exec(address);
  if (raw !== null) {
    if (raw[1] !== "0") throw invalid(`its workchain is ${raw[1]}, not 0`);
    return `0x${raw[2]?.toLowerCase()}` as Hex;
  }
  const isText = /^(?:[A-Za-z0-9+/]{48}|[A-Za-z0-9_-]{48})$/.test(address);
  if (!isText) throw invalid("neither `0:` and 64 hex digits, nor 48 digits in base64");
  const binary = atob(address.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Array.from(binary, (character) => character.charCodeAt(0));
  if (crc16(bytes) !== 0) throw invalid("its checksum is wrong");
  const [flags, workchain] = bytes;
  if (flags !== 0x11 && flags !== 0x51) throw invalid("its flags are not those of the main network");
  if (workchain !== 0) throw invalid(`its workchain is ${((workchain ?? 0) << 24) >> 24}, not 0`);
  return `0x${bytes
    .slice(2, 34)
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")}`;
}

/** CRC-16/XMODEM; zero for bytes that end in their own checksum. */
function crc16(bytes: readonly number[]): number {
  let rest = 0;
  for (const byte of bytes) {
    rest ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) rest = ((rest << 1) ^ (rest & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return rest;
}

const digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** `bc` as its checksum sees it: the high bits, zero, the low bits. */
const prefix = [3, 3, 0, 2, 3];
/** Checksums by witness version: bech32 and bech32m. */
const checksums = [1, 0x2bc830a3];
const checksumLength = 6;
/** Program lengths by version, in bytes. Anyone can spend an output of a later version. */
const programLengths: readonly (readonly number[])[] = [[20, 32], [32]];

/**
 * Decodes a native SegWit address of Bitcoin's main network (BIP-173, BIP-350): P2WPKH, P2WSH, P2TR.
 *
 * @returns The witness version and the program; undefined for any other text.
 */
function decodeSegwit(address: string): Hex | undefined {
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) return undefined;
  const text = address.toLowerCase();
  const words = Array.from(text.slice(3), (digit) => digits.indexOf(digit));
  const [version = -1] = words;
  if (words.includes(-1) || checksum([...prefix, ...words]) !== checksums[version]) return undefined;
  const program = toBytes(words.slice(1, -checksumLength));
  if (program === undefined || !programLengths[version]?.includes(program.length)) return undefined;
  return `0x${[version, ...program].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function checksum(values: readonly number[]): number {
  let rest = 1;
  for (const value of values) {
    const top = rest >>> 25;
    rest = ((rest & 0x1ffffff) << 5) ^ value;
    generators.forEach((generator, bit) => {
      if ((top >>> bit) & 1) rest ^= generator;
    });
  }
  return rest;
}

/** Regroups five bits into eight. Undefined unless the padding is short and zero. */
function toBytes(words: readonly number[]): number[] | undefined {
  const bytes: number[] = [];
  let [bits, rest] = [0, 0];
  for (const word of words) {
    rest = ((rest << 5) | word) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((rest >>> bits) & 0xff);
  }
  const isPadded = bits < 5 && (rest & ((1 << bits) - 1)) === 0;
  return isPadded ? bytes : undefined;
}
