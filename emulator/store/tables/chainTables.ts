/** Next block of each chain to search for deposits. */
export type CursorsTable = { chain_id: number; next_block: number };

/** The last searched blocks, which reveal reorgs. */
export type BlocksTable = { chain_id: number; number: number; hash: string };

/** See `ChainRecord`. */
export type ChainsTable = { chain_id: number; genesis_hash: string; contracts: string; currencies: string };
