import type { SvmMessage } from "./SvmTransaction.ts";

const keyBytes = 32;
const signatureBytes = 64;
/** Version prefix and three key counts. */
const headerBytes = 1 + 3;
const blockhashBytes = 32;

type Account = { invoked: boolean; signer: boolean; writable: boolean };

/** Addresses in a lookup table, or `any` if unknown. */
export type TableContents = ReadonlySet<string> | "any";

/** Size of a transaction, and its parts. */
export type MessageSize = {
  readonly accounts: number;
  /** Accounts eligible for lookup tables: neither signers nor invoked programs. */
  readonly eligible: number;
  /** Accounts in a lookup table; one byte each in the message. */
  readonly lookedUp: number;
  readonly signatures: number;
  readonly size: number;
};

/**
 * Computes the wire size of a signed version 0 transaction, in bytes. As in wallets, each account is in the first
 * lookup table that contains it, unless it signs or is invoked.
 *
 * @param tables Contents of the message's lookup tables, in order.
 */
export function messageSize(
  message: SvmMessage,
  payer: string,
  tables: readonly TableContents[],
): MessageSize {
  const accounts = collectAccounts(message, payer);
  const found = tables.map(() => ({ readonly: 0, writable: 0 }));
  const eligible = [...accounts].filter(([, { invoked, signer }]) => !invoked && !signer);
  for (const [key, { writable }] of eligible) {
    const table = found[tables.findIndex((contents) => contents === "any" || contents.has(key))];
    if (table !== undefined) table[writable ? "writable" : "readonly"] += 1;
  }
  const used = found.filter((table) => table.readonly + table.writable > 0);
  const lookedUp = sum(used.map((table) => table.readonly + table.writable));
  const signatures = [...accounts.values()].filter(({ signer }) => signer).length;
  const inline = accounts.size - lookedUp;
  const size =
    lengthBytes(signatures) +
    signatures * signatureBytes +
    headerBytes +
    lengthBytes(inline) +
    inline * keyBytes +
    blockhashBytes +
    lengthBytes(message.instructions.length) +
    sum(message.instructions.map(instructionBytes)) +
    lengthBytes(used.length) +
    sum(used.map((table) => keyBytes + listBytes(table.writable) + listBytes(table.readonly)));
  return { accounts: accounts.size, eligible: eligible.length, lookedUp, signatures, size };
}

/** Every account once, with the union of its roles. */
function collectAccounts({ instructions }: SvmMessage, payer: string): ReadonlyMap<string, Account> {
  const accounts = new Map<string, Account>();
  const add = (key: string, { invoked = false, signer = false, writable = false }: Partial<Account>) => {
    const known = accounts.get(key);
    accounts.set(key, {
      invoked: invoked || known?.invoked === true,
      signer: signer || known?.signer === true,
      writable: writable || known?.writable === true,
    });
  };
  add(payer, { signer: true, writable: true });
  for (const { keys, program } of instructions) {
    add(program, { invoked: true });
    for (const { isSigner, isWritable, key } of keys) add(key, { signer: isSigner, writable: isWritable });
  }
  return accounts;
}

/** A program by its index, its accounts by theirs, and the data. */
function instructionBytes({ dataBytes, keys }: SvmMessage["instructions"][number]): number {
  return 1 + listBytes(keys.length) + listBytes(dataBytes);
}

/** A byte list with its length prefix. */
function listBytes(length: number): number {
  return lengthBytes(length) + length;
}

/** Bytes of an encoded length: seven bits per byte. */
function lengthBytes(length: number): number {
  return length < 0x80 ? 1 : length < 0x4000 ? 2 : 3;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
