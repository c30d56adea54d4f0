/** Told of what went wrong with a connection to the database; never of secrets. */
export type StoreLog = (entry: {
  readonly level: "error";
  readonly message: string;
  readonly cause: unknown;
}) => void;
