/** Health of a chain, as shown by `GET /chains` and enforced on quotes. */
export type ChainHealth = {
  /** Refuses all quotes from and to the chain. */
  readonly disabled: boolean;
  /** Shown only; no effect on quotes. */
  readonly blockProductionLagging: boolean;
  /**
   * Maximum worth of quotes from or to the chain, in smallest units of its native currency. 0 means no limit.
   */
  readonly partialDisableLimit: number;
};

export const healthy: ChainHealth = {
  blockProductionLagging: false,
  disabled: false,
  partialDisableLimit: 0,
};

/** A change of some fields. */
export type HealthChange = { readonly [Key in keyof ChainHealth]?: ChainHealth[Key] | undefined };
