import type { Breakdown } from "./breakDown.ts";

/** A path of the core contracts, and its reference figures. Source: the table of gas targets in docs/reference/gas.md. */
export type GasRow = {
  /** What happens, in words. */
  readonly path: string;
  /** Gas of a minimal hand-written contract. */
  readonly floor?: number;
  /** Gas of the cheapest public contract that does the same or less. */
  readonly peer?: number;
  /** Target: an upper limit. */
  readonly target?: number;
  /** Items of the floor: a sum of protocol prices, or the name of a measured contract. */
  readonly floorItems?: Breakdown | FloorName;
};

/** Measured hand-written floors, for a comparison by item. */
export type FloorName = "minimal-zap" | "minimal-zap-pull";

/** Every measured path, by the name of its snapshot. */
export const gasRows = {
  "native-deposit-to-eoa-solver": {
    floor: 59_708,
    floorItems: {
      calldata: 3_088,
      events: 1_006,
      hashing: 114,
      "reaching other accounts": 9_300,
      "signature recovery": 3_100,
      storage: 22_100,
      transaction: 21_000,
    },
    path: "validated native deposit, one hop to an EOA solver",
    peer: 91_199,
    target: 60_900,
  },
  "erc20-deposit-infinite-allowance": {
    floor: 68_508,
    floorItems: {
      calldata: 3_504,
      "decoding, checks and memory": 372,
      events: 1_006,
      hashing: 114,
      "inside transferFrom": 14_712,
      "reaching other accounts": 2_600,
      "signature recovery": 3_100,
      storage: 22_100,
      transaction: 21_000,
    },
    path: "validated ERC-20 deposit, infinite allowance",
    peer: 94_185,
    target: 72_000,
  },
  "erc20-deposit-with-permit": { path: "validated ERC-20 deposit by permit (ERC-2612)" },
  "erc20-deposit-with-permit2": { path: "validated ERC-20 deposit by Permit2" },
  "erc20-deposit-with-authorization": { path: "validated ERC-20 deposit by authorization (ERC-3009)" },
  "managed-native-deposit-every-policy": {
    path: "managed native deposit, every policy on",
    target: 74_100,
  },
  "managed-erc20-deposit-every-policy": { path: "managed ERC-20 deposit, every policy on", target: 89_900 },
  "order-native-deposit": {
    path: "native payment of an order in the published shape, to the depository",
    target: 89_600,
  },
  "order-erc20-deposit": {
    path: "ERC-20 payment of an order in the published shape, to the depository",
    target: 125_800,
  },
  "facet-native-unchecked": { path: "native deposit of an aggregator's facet, the id unchecked" },
  "facet-native-backed": {
    path: "native deposit of the facet, the id signed by a backend, with a replay flag",
  },
  "facet-native-checked": { path: "native deposit of the facet, the order checked by `OrderTerms`" },
  "facet-erc20-unchecked": { path: "ERC-20 deposit of an aggregator's facet, the id unchecked" },
  "facet-erc20-backed": {
    path: "ERC-20 deposit of the facet, the id signed by a backend, with a replay flag",
  },
  "facet-erc20-checked": { path: "ERC-20 deposit of the facet, the order checked by `OrderTerms`" },
  "proxy-deposit-erc4626": {
    floor: 87_604,
    floorItems: "minimal-zap-pull",
    path: "pull, approve, vault.deposit(live balance), sweep: vault function",
    peer: 107_688,
    target: 91_000,
  },
  "proxy-spend-pull-approve-vault-deposit": {
    floor: 87_604,
    floorItems: "minimal-zap-pull",
    path: "the same by the general form, for any target",
    peer: 107_688,
    target: 95_400,
  },
  "executor-spend-prefunded-approve-vault-deposit": {
    floor: 65_693,
    floorItems: "minimal-zap",
    path: "pre-funded, approve, vault.deposit(live balance), sweep",
    peer: 80_070,
    target: 69_500,
  },
  "executor-execute-prefunded-approve-vault-deposit": {
    floor: 65_693,
    floorItems: "minimal-zap",
    path: "the pre-funded deposit by execute: one asset, one step",
    peer: 80_070,
  },
} as const satisfies Record<string, GasRow>;

/** Name of a measured path. */
export type GasRowName = keyof typeof gasRows;
