/** A path of the core contracts, and what its gas is held against. Sources: the table of gas targets in docs/gas.md. */
export type GasRow = {
  /** What happens, in words. */
  readonly path: string;
  /** Gas of a hand-written contract that does nothing but this. */
  readonly floor?: number;
  /** Gas of the cheapest public contract that does the same or less. */
  readonly peer?: number;
  /** What we mean to stay under. */
  readonly target: number;
};

/** Every path that is measured, by the name that its snapshot has. */
export const gasRows = {
  "native-deposit-to-eoa-solver": {
    floor: 59_708,
    path: "validated native deposit, one hop to an EOA solver",
    peer: 91_199,
    target: 60_900,
  },
  "erc20-deposit-infinite-allowance": {
    floor: 68_508,
    path: "validated ERC-20 deposit, infinite allowance",
    peer: 94_185,
    target: 70_000,
  },
  "proxy-spend-pull-approve-vault-deposit": {
    floor: 87_604,
    path: "pull, approve, vault.deposit(live balance), sweep",
    peer: 107_688,
    target: 91_000,
  },
  "executor-spend-prefunded-approve-vault-deposit": {
    floor: 65_693,
    path: "pre-funded, approve, vault.deposit(live balance), sweep",
    peer: 80_070,
    target: 69_500,
  },
} as const satisfies Record<string, GasRow>;

/** Name of a measured path. */
export type GasRowName = keyof typeof gasRows;
