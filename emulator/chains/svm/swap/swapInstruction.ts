import type { AccountMeta, AccountSignerMeta, Address, Instruction, TransactionSigner } from "@solana/kit";
import type { SvmPackages } from "../loadSvm.ts";
import type { SvmPool } from "./svmPools.ts";
import { swapProgramAddress } from "./swapProgram.ts";

/** A swap, with addresses in base58 and amounts in smallest units. */
export type SvmSwap = {
  readonly seller: TransactionSigner;
  /** Token account that pays. */
  readonly source: string;
  /** Token account that is paid. */
  readonly destination: string;
  /** Mints on the way, both ends included. */
  readonly path: readonly string[];
  readonly amounts:
    | { readonly sells: bigint; readonly atLeast: bigint }
    | { readonly buys: bigint; readonly atMost: bigint }
    /** Sells more than `sells` if `atLeast` needs it, up to `atMost`. */
    | { readonly sells: bigint; readonly atLeast: bigint; readonly atMost: bigint };
};

/** Most hops of a swap. */
export const mostHops = 8;

/** The swap program trades in no pool that holds as much, or more: `MOST_UNITS` of its source. */
export const mostUnits = 2n ** 53n;

/** The instruction of a swap, in the form that `swap.c` reads. */
export function swapInstruction(
  { amounts, destination, path, seller, source }: SvmSwap,
  pools: readonly SvmPool[],
  { kit, token }: Pick<SvmPackages, "kit" | "token">,
): Instruction {
  const { AccountRole } = kit;
  const writable = (address: string) => ({ address: address as Address, role: AccountRole.WRITABLE });
  const readonly = (address: string) => ({ address: address as Address, role: AccountRole.READONLY });
  const hops = path.slice(1).flatMap((taken, index) => {
    const { pool, vaults } = hopOf(pools, path[index] ?? taken, taken);
    return [readonly(pool.address), ...vaults.map(writable)];
  });
  const accounts: readonly (AccountMeta | AccountSignerMeta)[] = [
    { address: seller.address, role: AccountRole.READONLY_SIGNER, signer: seller },
    writable(source),
    writable(destination),
    readonly(token.TOKEN_PROGRAM_ADDRESS),
    ...hops,
  ];
  return {
    accounts,
    data: dataOf(amounts),
    programAddress: swapProgramAddress as Address,
  };
}

/** The instruction's data: mode and amounts. */
function dataOf(amounts: SvmSwap["amounts"]): Uint8Array {
  if ("buys" in amounts) return encode(1, amounts.buys, amounts.atMost);
  const { atLeast, sells } = amounts;
  return "atMost" in amounts ? encode(2, sells, amounts.atMost, atLeast) : encode(0, sells, atLeast);
}

function encode(mode: number, ...amounts: readonly bigint[]): Uint8Array {
  return Uint8Array.from([mode, ...new Uint8Array(BigUint64Array.from(amounts).buffer)]);
}

/** The pool of two mints, and its vaults of the first and of the second. */
export function hopOf(
  pools: readonly SvmPool[],
  from: string,
  to: string,
): { readonly pool: SvmPool; readonly vaults: readonly [string, string] } {
  for (const pool of pools) {
    const [first, second] = pool.tokens.map(({ address }) => address);
    if (first === from && second === to) return { pool, vaults: pool.vaults };
    if (first === to && second === from) return { pool, vaults: [pool.vaults[1], pool.vaults[0]] };
  }
  throw new Error(`the SVM chain has no pool of ${from} and ${to}`);
}

/** The token accounts of a swap's instruction: the one that pays, and the one that is paid. */
export function endsOfSwap({ accounts }: { readonly accounts: readonly string[] }) {
  const [, source, destination] = accounts;
  return { destination, source };
}
