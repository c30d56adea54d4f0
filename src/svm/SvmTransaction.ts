import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readList, readObject, readText } from "../internal/readParts.ts";
import { readSvmAddress } from "../internal/readSvmAddress.ts";

/** An account of an instruction. */
export type SvmAccountMeta = {
  readonly isSigner: boolean;
  readonly isWritable: boolean;
  readonly pubkey: string;
};

/** One instruction of a transaction step. */
export type SvmInstruction = {
  /** Hexadecimal without `0x`. */
  readonly data: string;
  readonly keys: readonly SvmAccountMeta[];
  readonly programId: string;
};

/** The `data` of a transaction item whose origin is an SVM chain. */
export type SvmTransactionData = {
  readonly addressLookupTableAddresses?: readonly string[] | undefined;
  readonly instructions: readonly SvmInstruction[];
};

/** A parsed transaction: keys as bytes in hexadecimal, data by its length. */
export type SvmMessage = {
  readonly instructions: readonly {
    readonly dataBytes: number;
    readonly keys: readonly {
      readonly isSigner: boolean;
      readonly isWritable: boolean;
      readonly key: string;
    }[];
    readonly program: string;
  }[];
  /** Lookup tables, in base58. */
  readonly tables: readonly string[];
};

/**
 * Parses the `data` of a transaction item.
 *
 * @throws InvalidParameterError for an invalid part, by name.
 */
export function readSvmMessage(value: unknown, path: string): SvmMessage {
  const data = readObject(value, path);
  const tables = data.addressLookupTableAddresses ?? [];
  return {
    instructions: readList(data.instructions, `${path}.instructions`, (item, place) => {
      const instruction = readObject(item, place);
      return {
        dataBytes: readDataBytes(instruction.data, `${place}.data`),
        keys: readList(instruction.keys, `${place}.keys`, (each, keyPlace) => {
          const meta = readObject(each, keyPlace);
          return {
            isSigner: readFlag(meta.isSigner, `${keyPlace}.isSigner`),
            isWritable: readFlag(meta.isWritable, `${keyPlace}.isWritable`),
            key: readSvmAddress(meta.pubkey, `${keyPlace}.pubkey`),
          };
        }),
        program: readSvmAddress(instruction.programId, `${place}.programId`),
      };
    }),
    tables: readList(tables, `${path}.addressLookupTableAddresses`, (item, place) => {
      readSvmAddress(item, place);
      return readText(item, place);
    }),
  };
}

function readDataBytes(value: unknown, parameter: string): number {
  const text = readText(value, parameter);
  if (/^(?:[0-9a-fA-F]{2})*$/.test(text)) return text.length / 2;
  throw new InvalidParameterError({ parameter, reason: "not whole bytes of hex without 0x" });
}

function readFlag(value: unknown, parameter: string): boolean {
  if (typeof value === "boolean") return value;
  throw new InvalidParameterError({ parameter, reason: "it is neither true nor false" });
}
