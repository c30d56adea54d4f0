import { createHash } from "node:crypto";
import type { Address, Transaction } from "@solana/kit";
import { BaseError } from "../../../src/errors/BaseError.ts";
import { svmTransactionLimit } from "../../../src/svm/constants.ts";
import type { SvmPackages } from "./loadSvm.ts";

/** Lamports of one signature. */
export const signatureFee = 5_000n;
const computeBudgetProgram = "ComputeBudget111111111111111111111111111111";
/** First bytes of the instructions that set a transaction's compute units and their price. */
const [setUnitLimit, setUnitPrice] = [2, 3];
/** Compute units of an instruction without a limit, for programs of the validator and for others (SIMD-0170). */
const [builtInUnits, defaultInstructionUnits] = [3_000n, 200_000n];
const builtInPrograms = new Set([
  "11111111111111111111111111111111",
  "BPFLoader1111111111111111111111111111111111",
  "BPFLoader2111111111111111111111111111111111",
  "BPFLoaderUpgradeab1e11111111111111111111111",
  computeBudgetProgram,
  "Vote111111111111111111111111111111111111111",
]);
/** Most compute units of a transaction: requests above it count as this many. */
const mostUnits = 1_400_000n;
const microLamports = 1_000_000n;

/** One instruction, with its accounts resolved. */
type DecodedInstruction = {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
};

/** A transaction off the wire. */
export type DecodedTransaction = {
  readonly transaction: Transaction;
  /** The first signature in base58, which identifies the transaction. */
  readonly signature: string;
  readonly blockhash: string;
  /** SHA-256 of the signed message, in hex. */
  readonly messageHash: string;
  /** Number of accounts that signed: the first ones. */
  readonly signers: number;
  readonly accounts: readonly Address[];
  readonly instructions: readonly DecodedInstruction[];
  /** Lamports. */
  readonly fee: bigint;
};

/** The bytes are no transaction that this chain takes. */
export class SvmTransactionInvalidError extends BaseError {
  override readonly name = "SvmTransactionInvalidError";

  constructor(reason: string, { cause }: { cause?: unknown } = {}) {
    super(`The transaction is invalid: ${reason}.`, { cause, code: "SVM_TRANSACTION_INVALID" });
  }
}

export function decodeSvmTransaction(
  wire: Uint8Array,
  { kit }: Pick<SvmPackages, "kit">,
): DecodedTransaction {
  if (wire.length > svmTransactionLimit) {
    throw new SvmTransactionInvalidError(`${wire.length} bytes, and the limit is ${svmTransactionLimit}`);
  }
  try {
    const transaction = kit.getTransactionDecoder().decode(wire);
    const message = kit.getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    // Other bytes of the same message would have another hash, and be executed again.
    const canonical = kit.getTransactionEncoder().encode({
      ...transaction,
      messageBytes: kit
        .getCompiledTransactionMessageEncoder()
        .encode(message) as typeof transaction.messageBytes,
    });
    if (!Buffer.from(canonical).equals(wire)) {
      throw new SvmTransactionInvalidError("its bytes are not the canonical encoding of its message");
    }
    if (message.version === 1)
      throw new SvmTransactionInvalidError("this chain takes version 0 and older ones");
    if ("addressTableLookups" in message && (message.addressTableLookups ?? []).length > 0) {
      throw new SvmTransactionInvalidError("this chain has no address lookup tables");
    }
    const accounts = message.staticAccounts;
    const at = (index: number): Address => {
      const account = accounts[index];
      if (account === undefined) throw new SvmTransactionInvalidError(`it has no account ${index}`);
      return account;
    };
    const instructions = message.instructions.map(({ accountIndices = [], data, programAddressIndex }) => ({
      accounts: accountIndices.map(at),
      data: Uint8Array.from(data ?? []),
      program: at(programAddressIndex),
    }));
    return {
      accounts,
      blockhash: message.lifetimeToken,
      fee: feeOf(message.header.numSignerAccounts, instructions),
      instructions,
      messageHash: createHash("sha256").update(Uint8Array.from(transaction.messageBytes)).digest("hex"),
      signers: message.header.numSignerAccounts,
      signature: kit.getSignatureFromTransaction(transaction),
      transaction,
    };
  } catch (cause) {
    if (cause instanceof SvmTransactionInvalidError) throw cause;
    throw new SvmTransactionInvalidError("it cannot be decoded, or lacks its first signature", { cause });
  }
}

/** The fee of the signatures, and the price of the compute units that the transaction reserves. */
function feeOf(signers: number, instructions: readonly DecodedInstruction[]): bigint {
  const budget = instructions.filter(({ program }) => program === computeBudgetProgram);
  const limit = budget.find(({ data }) => data[0] === setUnitLimit);
  const price = budget.find(({ data }) => data[0] === setUnitPrice);
  const asked =
    limit === undefined
      ? instructions.reduce((sum, { program }) => sum + unitsOf(program), 0n)
      : littleEndian(limit.data.subarray(1, 5));
  const units = asked < mostUnits ? asked : mostUnits;
  const perUnit = price === undefined ? 0n : littleEndian(price.data.subarray(1, 9));
  return BigInt(signers) * signatureFee + (units * perUnit + microLamports - 1n) / microLamports;
}

function unitsOf(program: string): bigint {
  return builtInPrograms.has(program) ? builtInUnits : defaultInstructionUnits;
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
