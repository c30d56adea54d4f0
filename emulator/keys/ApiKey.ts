/** An API key of an integrator. */
export type ApiKey = {
  /** Public id, stored with requests and used to revoke the key. */
  readonly id: string;
  /** Secret: it must not reach the log or an answer. */
  readonly key: string;
  /** Display name. */
  readonly name: string;
  /** Whether higher rate limits apply. */
  readonly isElevated: boolean;
  /** Unix milliseconds. */
  readonly createdAt: number;
};

/** The active API keys of the database, cached in memory for reads. */
export type ApiKeys = {
  /** Lists active keys, oldest first. */
  list(): readonly ApiKey[];
  /** Finds the active key with a secret, in time independent of the keys. */
  find(presented: string): ApiKey | undefined;
  create(parameters: { readonly name: string; readonly isElevated?: boolean | undefined }): Promise<ApiKey>;
  /**
   * Revokes a key at once. Its requests still belong to it.
   *
   * @returns Whether an active key had this id.
   */
  revoke(id: string): Promise<boolean>;
  /** Reloads the keys after a change of the database by others. */
  reload(): Promise<void>;
};
