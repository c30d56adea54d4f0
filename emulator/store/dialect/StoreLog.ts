/** Logger of the database's connections. Secrets are never passed to it. */
export type StoreLog = (entry: {
  readonly level: "info" | "error";
  readonly message: string;
  readonly cause?: unknown;
}) => void;
