import {
  AccountRole,
  type Address,
  type AddressesByLookupTableAddress,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getBase58Decoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import fc from "fast-check";
import type { SvmTransactionData } from "../../../../src/svm/SvmTransaction.ts";

const base58 = getBase58Decoder();

/** The address whose bytes are a number. */
export function addressOf(number: number): Address {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(0, number);
  return address(base58.decode(bytes));
}

/** The bytes that a transaction has on the wire, signatures and all, as the chain's own library compiles it. */
export function otherSize(
  { instructions }: SvmTransactionData,
  payer: string,
  tables: Readonly<Record<string, readonly string[]>>,
): number {
  const lifetime = { blockhash: addressOf(0) as string as Blockhash, lastValidBlockHeight: 1n };
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(address(payer), empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (alive) =>
      appendTransactionMessageInstructions(
        instructions.map(({ data, keys, programId }) => ({
          accounts: keys.map(({ isSigner, isWritable, pubkey }) => ({
            address: address(pubkey),
            role: roleOf(isSigner, isWritable),
          })),
          data: new Uint8Array(Buffer.from(data, "hex")),
          programAddress: address(programId),
        })),
        alive,
      ),
    (whole) =>
      compressTransactionMessageUsingAddressLookupTables(
        whole,
        tables as unknown as AddressesByLookupTableAddress,
      ),
  );
  return getTransactionEncoder().encode(compileTransaction(message)).length;
}

function roleOf(isSigner: boolean, isWritable: boolean): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}

/** The payer's address; programs and accounts overlap with it now and then. */
export const payer = addressOf(1);

const account = fc.integer({ max: 40, min: 1 }).map(addressOf);
const instruction = fc.record({
  data: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("hex")),
  keys: fc.array(
    fc.record({
      isSigner: fc.integer({ max: 9, min: 0 }).map((number) => number === 0),
      isWritable: fc.boolean(),
      pubkey: account,
    }),
    { maxLength: 30 },
  ),
  // Not the payer: an account that signs and is invoked is a combination that the chain's library refuses.
  programId: fc.integer({ max: 140, min: 100 }).map(addressOf),
});

const table = (index: number) => addressOf(1_000 + index);

/** Transactions with the contents of their lookup tables, sometimes the same accounts or none. */
export const transaction = fc
  .record({
    contents: fc.array(fc.array(account, { maxLength: 20 }), { maxLength: 4 }),
    instructions: fc.array(instruction, { maxLength: 6 }),
  })
  .map(({ contents, instructions }) => ({
    data: { addressLookupTableAddresses: contents.map((_, index) => table(index)), instructions },
    tables: Object.fromEntries(contents.map((addresses, index) => [table(index), addresses])),
  }));
