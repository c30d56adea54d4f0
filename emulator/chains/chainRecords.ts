import type { Hex } from "viem";
import * as z from "zod";
import { BaseError } from "../../src/errors/BaseError.ts";
import { bytes32Schema, evmAddressSchema } from "../../src/schema/wire/hex.ts";
import type { Store } from "../store/tables.ts";
import type { Currencies, LocalCurrency, ServiceContracts } from "./Chain.ts";

/** The stored identity of a chain, and the addresses of the service on it. */
export type ChainRecord = {
  readonly chainId: number;
  /** Hash of block 0. */
  readonly genesisHash: Hex;
  readonly contracts: ServiceContracts;
  readonly currencies: Currencies;
};

/** In the order of the set-up, so that later starts print the document of the first. */
const contractsSchema = z.object({
  approvalProxy: evmAddressSchema,
  depository: evmAddressSchema,
  erc20Router: evmAddressSchema,
  multicall3: evmAddressSchema,
  permit2: evmAddressSchema,
  relayReceiver: evmAddressSchema,
  uniswapV2Router: evmAddressSchema,
  v3: z.object({ approvalProxy: evmAddressSchema, erc20Router: evmAddressSchema }),
  multicaller: evmAddressSchema,
  onlyOwnerMulticaller: evmAddressSchema,
  outputGuard: evmAddressSchema,
}) satisfies z.ZodType<ServiceContracts>;

const currencySchema = z.object({
  address: evmAddressSchema,
  symbol: z.string(),
  name: z.string(),
  decimals: z.int().min(0).max(255),
}) satisfies z.ZodType<LocalCurrency>;
const currenciesSchema = z.tuple([currencySchema], currencySchema);

/**
 * A database that was used with other chains than the running ones.
 *
 * @example
 * import { StoreChainMismatchError, startEmulator } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0, database: ":memory:" });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof StoreChainMismatchError) console.log(error.chainId);
 * }
 */
export class StoreChainMismatchError extends BaseError {
  override readonly name = "StoreChainMismatchError";
  readonly chainId: number;

  constructor({ chainId, found, stored }: { chainId: number; found: Hex | undefined; stored: Hex }) {
    super(
      `The database belongs to another chain ${chainId} than the one that runs: its requests and deposits are not there. ` +
        "Empty the database with --reset (`reset: true`), or give it the chain it was used with.",
      {
        code: "STORE_CHAIN_MISMATCH",
        metaMessages: [`stored genesis: ${stored}`, `genesis now: ${found ?? "a new one at each start"}`],
      },
    );
    this.chainId = chainId;
  }
}

/**
 * Asserts that a chain is the one that the database was used with.
 *
 * @param chain The running chain. Without `genesisHash` it starts with this run, so no record can match, even if its
 * first block is equal.
 */
export function assertSameChain(
  record: ChainRecord | undefined,
  { chainId, genesisHash }: { readonly chainId: number; readonly genesisHash?: Hex | undefined },
): void {
  if (record === undefined) return;
  if (record.genesisHash === genesisHash?.toLowerCase()) return;
  throw new StoreChainMismatchError({ chainId, found: genesisHash, stored: record.genesisHash });
}

/** Loads the record of a chain; `undefined` if the database was never used with it. */
export async function loadChainRecord(store: Store, chainId: number): Promise<ChainRecord | undefined> {
  const row = await store.selectFrom("chains").selectAll().where("chain_id", "=", chainId).executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    chainId: row.chain_id,
    contracts: contractsSchema.parse(JSON.parse(row.contracts)),
    currencies: currenciesSchema.parse(JSON.parse(row.currencies)),
    genesisHash: bytes32Schema.parse(row.genesis_hash),
  };
}

/** Stores the record of a chain, unless the database has one: requests depend on the stored record. */
export async function saveChainRecord(store: Store, record: ChainRecord): Promise<ChainRecord | undefined> {
  const { numInsertedOrUpdatedRows = 0n } = await store
    .insertInto("chains")
    .values({
      chain_id: record.chainId,
      contracts: JSON.stringify(record.contracts),
      currencies: JSON.stringify(record.currencies),
      genesis_hash: record.genesisHash.toLowerCase(),
    })
    .onConflict((conflict) => conflict.column("chain_id").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n ? undefined : loadChainRecord(store, record.chainId);
}
