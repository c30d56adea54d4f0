/** Whom a request comes from. */
export type ApiKey = {
  /** Not a secret: what requests remember, and what a key is revoked by. */
  readonly id: string;
  /** A secret: it must reach neither the log nor an answer. */
  readonly key: string;
  /** For people. */
  readonly name: string;
  /** Whether higher rate limits apply. */
  readonly isElevated: boolean;
  /** Unix milliseconds. */
  readonly createdAt: number;
};

/** The keys that are in force. They live in the database; reading them asks nobody. */
export type ApiKeys = {
  /** Oldest first. */
  list(): readonly ApiKey[];
  /** The key that was presented, if it is in force. How long the search takes says nothing about the keys. */
  find(presented: string): ApiKey | undefined;
  create(parameters: { readonly name: string; readonly isElevated?: boolean | undefined }): Promise<ApiKey>;
  /**
   * Ends a key at once. Requests keep whose they are.
   *
   * @returns Whether there was such a key in force.
   */
  revoke(id: string): Promise<boolean>;
  /** Reads them again, after something else has changed the database. */
  reload(): Promise<void>;
};
