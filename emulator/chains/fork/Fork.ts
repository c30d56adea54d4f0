/** A public chain to fork: a chain in this process that begins with the state of a block. */
export type Fork = {
  /** Chain id of the upstream, which the fork keeps. */
  readonly id: number;
  /** URL of the upstream's JSON-RPC: HTTP or HTTPS. It may contain a key; it is never logged or stored. */
  readonly rpcUrl: string;
  /** Block to begin with. @default the newest one */
  readonly block?: number | undefined;
};
