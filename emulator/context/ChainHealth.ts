/** What `GET /chains` tells of a chain's condition, and quotes are refused by. */
export type ChainHealth = {
  /** No quote from or to the chain is given. */
  readonly disabled: boolean;
  /** Shown, and nothing else. */
  readonly blockProductionLagging: boolean;
  /**
   * Quotes from or to the chain that are worth more than so many smallest units of its native currency are not given; 0 is no
   * limit.
   */
  readonly partialDisableLimit: number;
};

export const healthy: ChainHealth = {
  blockProductionLagging: false,
  disabled: false,
  partialDisableLimit: 0,
};

/** What is to change. */
export type HealthChange = { readonly [Key in keyof ChainHealth]?: ChainHealth[Key] | undefined };
