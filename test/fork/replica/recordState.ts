import { type Address, getAddress, type Hex, padHex, toHex } from "viem";
import * as z from "zod";
import type { Rpc } from "../../../emulator/chains/rpc.ts";

/** An account of a state file. Numbers are hexadecimal quantities. */
export type AccountState = {
  readonly address: Address;
  readonly balance: string;
  readonly code: string;
  readonly nonce: string;
  /** Non-zero words by slot. */
  readonly storage: Readonly<Record<Hex, string>>;
};

/** Follows transactions to find the accounts and slots that they write. */
export type StateRecorder = {
  /** Includes an account's code, nonce and balance. */
  add(address: Address): void;
  /** Follows a mined transaction. @throws Error if it reverted. */
  record(hash: Hex): Promise<{ readonly contractAddress: Address | null }>;
  /** Reads the present state of everything that was recorded. Accounts without code are left out. */
  read(): Promise<readonly AccountState[]>;
};

const receiptSchema = z.object({
  contractAddress: z.string().nullable(),
  status: z.string(),
  to: z.string().nullable(),
});
const logsSchema = z.array(z.object({ depth: z.number(), op: z.string(), stack: z.array(z.string()) }));
type Log = z.infer<typeof logsSchema>[number];

/** A running call: the account whose storage it writes, unknown while that account is created. */
type Frame = { address: Address | undefined; readonly slots: Set<Hex> };

/** Position of the target on the stack, from its top, by opcode. */
const ownStorage = new Set(["CALL", "STATICCALL"]);
const callersStorage = new Set(["DELEGATECALL", "CALLCODE"]);
const creations = new Set(["CREATE", "CREATE2"]);

/** Opens a recorder. Nodes do not list an account's slots, so it reads them from traces. */
export function createRecorder(rpc: Rpc): StateRecorder {
  const slots = new Map<Address, Set<Hex>>();
  const of = (address: Address): Set<Hex> => {
    const key = getAddress(address);
    const known = slots.get(key) ?? new Set();
    slots.set(key, known);
    return known;
  };
  const readAccount = async (address: Address): Promise<AccountState | undefined> => {
    const [balance, code, nonce] = await Promise.all(
      ["eth_getBalance", "eth_getCode", "eth_getTransactionCount"].map((method) =>
        rpc(method, [address, "latest"]).then(String),
      ),
    );
    if (balance === undefined || nonce === undefined || code === undefined || code === "0x") return undefined;
    const storage: Record<Hex, string> = {};
    for (const slot of [...of(address)].sort()) {
      const value = String(await rpc("eth_getStorageAt", [address, slot, "latest"]));
      if (BigInt(value) !== 0n) storage[slot] = value;
    }
    return { address, balance, code, nonce, storage };
  };
  return {
    add: (address) => {
      of(address);
    },
    read: async () => {
      const accounts = await Promise.all([...slots.keys()].sort().map(readAccount));
      return accounts.filter((account) => account !== undefined);
    },
    record: async (hash) => {
      const receipt = receiptSchema.parse(await rpc("eth_getTransactionReceipt", [hash]));
      if (receipt.status !== "0x1") throw new Error(`The transaction ${hash} of the build reverted.`);
      const target = (receipt.to ?? receipt.contractAddress) as Address;
      const trace = await rpc("debug_traceTransaction", [
        hash,
        { disableMemory: true, disableStorage: true },
      ]);
      const { structLogs } = z.object({ structLogs: logsSchema }).parse(trace);
      follow(structLogs, target, of);
      of(target);
      return { contractAddress: receipt.contractAddress as Address | null };
    },
  };
}

/** Walks a trace, and adds every written slot to the account it belongs to. */
function follow(logs: readonly Log[], target: Address, of: (address: Address) => Set<Hex>): void {
  const frames: Frame[] = [{ address: target, slots: of(target) }];
  for (const [index, log] of logs.entries()) {
    while (frames.length > log.depth) close(frames, log, of);
    const frame = frames.at(-1);
    if (frame === undefined) throw new Error("a trace ends before its transaction");
    const next = logs[index + 1];
    if (log.op === "SSTORE") frame.slots.add(wordAt(log, 0));
    if (next === undefined || next.depth <= log.depth) continue;
    if (ownStorage.has(log.op)) {
      const address = getAddress(`0x${wordAt(log, 1).slice(26)}`);
      frames.push({ address, slots: of(address) });
    } else if (callersStorage.has(log.op)) frames.push(frame);
    else if (creations.has(log.op)) frames.push({ address: undefined, slots: new Set() });
  }
}

/** Ends the innermost call. The address of a created account is what its creation left on the stack. */
function close(frames: Frame[], after: Log, of: (address: Address) => Set<Hex>): void {
  const frame = frames.pop();
  if (frame === undefined || frame.address !== undefined) return;
  // A delegated call within a constructor shares its frame.
  if (frames.includes(frame)) return;
  const created = wordAt(after, 0);
  if (BigInt(created) === 0n) return;
  frame.address = getAddress(`0x${created.slice(26)}`);
  const known = of(frame.address);
  for (const slot of frame.slots) known.add(slot);
}

function wordAt({ stack }: Log, fromTop: number): Hex {
  const value = stack.at(-1 - fromTop);
  if (value === undefined) throw new Error("a trace lacks a word of the stack");
  return padHex(toHex(BigInt(value.startsWith("0x") ? value : `0x${value}`)), { size: 32 });
}
