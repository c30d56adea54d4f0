import type { ForkEngine } from "../chainDefinitions.ts";

/** A public chain to fork: a chain that begins with the state of a block. */
export type Fork = {
  /** Chain id of the upstream, which the fork keeps. */
  readonly id: number;
  /** URL of the upstream's JSON-RPC: HTTP or HTTPS. It may contain a key; it is never logged or stored. */
  readonly rpcUrl: string;
  /** Block to begin with. @default the newest one */
  readonly block?: number | undefined;
  /** Program that runs the fork. `anvil` needs the package `@foundry-rs/anvil`. @default "hardhat" */
  readonly engine?: ForkEngine | undefined;
};
