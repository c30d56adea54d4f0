import { address, getAddressDecoder, getAddressEncoder } from "@solana/kit";
import { expect } from "chai";
import fc from "fast-check";
import { hexToBytes } from "viem";
import { decodeSvmAddress, encodeSvmAddress, isSvmAddress } from "../../../src/svm/address.ts";
import { svmNativeToken } from "../../../src/svm/constants.ts";
import {
  type MeasureSvmTransactionParameters,
  measureSvmTransaction,
} from "../../../src/svm/measureSvmTransaction.ts";
import type { SvmTransactionData } from "../../../src/svm/SvmTransaction.ts";
import { bytes32 } from "../records/support/arbitraries.ts";
import { expectInvalid } from "../records/support/typedFailure.ts";
import { addressOf, otherSize, payer, transaction } from "./support/transactions.ts";

const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** A transaction of one instruction with so many accounts and bytes of data. */
function dataOf(accounts: number, dataBytes: number, tables: readonly string[] = []): SvmTransactionData {
  return {
    addressLookupTableAddresses: tables,
    instructions: [
      {
        data: "00".repeat(dataBytes),
        keys: Array.from({ length: accounts }, (_, index) => ({
          isSigner: false,
          isWritable: index % 2 === 0,
          pubkey: addressOf(200 + index),
        })),
        programId: addressOf(100),
      },
    ],
  };
}

/** A transaction that is so many bytes long. */
function dataOfSize(size: number): SvmTransactionData {
  const rest = size - measureSvmTransaction({ data: dataOf(10, 200), payer }).maximum;
  return dataOf(10, 200 + rest);
}

const measure = (data: SvmTransactionData, more: Partial<MeasureSvmTransactionParameters> = {}) =>
  measureSvmTransaction({ data, payer, ...more });

describe("addresses of SVM chains", () => {
  it("are the 32 bytes that the chain's own library makes of them, and come back", () => {
    fc.assert(
      fc.property(bytes32, (bytes) => {
        const text = encodeSvmAddress({ bytes });
        expect(text).to.equal(getAddressDecoder().decode(hexToBytes(bytes)));
        expect(decodeSvmAddress({ address: text })).to.equal(bytes);
        expect(isSvmAddress({ address: text })).to.equal(true);
        expect(hexToBytes(bytes)).to.deep.equal(getAddressEncoder().encode(address(text)));
      }),
    );
  });

  // @spec svm/native
  it("encode the native token, 32 ones, as zero", () => {
    expect(decodeSvmAddress({ address: svmNativeToken })).to.equal(`0x${"00".repeat(32)}`);
    expect(encodeSvmAddress({ bytes: `0x${"00".repeat(32)}` })).to.equal(svmNativeToken);
  });

  // @spec svm/case
  it("count the case of every letter", () => {
    const other = decodeSvmAddress({ address: usdc.replace(/v$/, "V") });
    expect(other).not.to.equal(decodeSvmAddress({ address: usdc }));
    // Few changes of case leave an address at all: this one has another length then.
    expect(isSvmAddress({ address: usdc.replace(/^E/, "e") })).to.equal(false);
  });

  // @spec svm/format
  it("are never of the EVM's format, of another length, or of letters outside base58", () => {
    const wrong: unknown[] = [
      "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
      `0x${"11".repeat(32)}`,
      "f39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
      svmNativeToken.slice(1),
      `${svmNativeToken}1`,
      `${usdc}1`,
      `${usdc} `,
      usdc.replace("E", "O"),
      usdc.replace("E", "l"),
      "1".repeat(100_000),
      "",
      undefined,
      7,
    ];
    for (const value of wrong) {
      expect(isSvmAddress({ address: value }), String(value).slice(0, 50)).to.equal(false);
      expectInvalid(() => decodeSvmAddress({ address: value as string }), "address");
    }
    expectInvalid(() => encodeSvmAddress({ bytes: "0x12" }), "bytes");
  });
});

describe("measureSvmTransaction", () => {
  it("measures to the byte what the chain's own library compiles, with every lookup table known", () => {
    fc.assert(
      fc.property(transaction, ({ data, tables }) => {
        const { maximum, minimum } = measure(data, { lookupTables: tables });
        const size = otherSize(data, payer, tables);
        expect([minimum, maximum]).to.deep.equal([size, size]);
      }),
      { numRuns: 150 },
    );
  }).timeout(20_000);

  it("gives bounds that hold whatever the tables hold that are not known", () => {
    fc.assert(
      fc.property(transaction, fc.nat(15), ({ data, tables }, known) => {
        const lookupTables = Object.fromEntries(
          Object.entries(tables).filter((_, index) => known & (1 << index)),
        );
        const { maximum, minimum } = measure(data, { lookupTables });
        expect(otherSize(data, payer, tables)).to.be.within(minimum, maximum);
      }),
      { numRuns: 150 },
    );
  }).timeout(20_000);

  it("reaches its lower bound when one table holds everything", () => {
    const table = addressOf(999);
    const data = dataOf(20, 50, [table]);
    const everything = data.instructions.flatMap(({ keys }) => keys.map(({ pubkey }) => pubkey));
    const { maximum, minimum } = measure(data);
    expect(minimum).to.equal(otherSize(data, payer, { [table]: everything }));
    expect(maximum - minimum).to.be.greaterThan(500);
  });

  // @spec error/svm-size limit/svm-transaction limit/svm-compute-budget
  it("applies the limits to the byte, and suggests a remedy", () => {
    for (const [size, ...expected] of [
      [1_172, "fits", true, 0],
      [1_173, "fits-as-it-is", false, 0],
      [1_232, "fits-as-it-is", false, 0],
      [1_233, "too-large", false, 4],
    ] as const) {
      const data = dataOfSize(size);
      const { advice, left, maximum, verdict } = measure(data);
      expect([maximum, left]).to.deep.equal([size, 1_232 - size]);
      expect(otherSize(data, payer, {})).to.equal(size);
      expect([verdict, advice.addComputeBudget, advice.requote.length]).to.deep.equal(expected);
    }
  });

  // @spec limit/route-length
  it("advises four hops, then three, then one swap source, and the fee payer by its name", () => {
    const sources = [{ parameter: "includedOriginSwapSources" }, { parameter: "depositFeePayer" }];
    const hops = (value: number) => ({ parameter: "maxRouteLength", value });
    const requote = (maxRouteLength?: number) => measure(dataOfSize(1300), { maxRouteLength }).advice.requote;
    expect(requote()).to.deep.equal([hops(4), hops(3), ...sources]);
    expect(requote(4)).to.deep.equal([hops(3), ...sources]);
    expect(requote(3)).to.deep.equal(sources);
  });
});
