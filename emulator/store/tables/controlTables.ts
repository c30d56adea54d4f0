import type { Generated } from "kysely";

/** Every change of prices; see `PriceHistory`. */
export type PriceChangesTable = {
  seq: Generated<number>;
  at: number;
  /** JSON of the whole table; see `PriceTable`. */
  prices: string;
};

/** JSON by name. */
export type SettingsTable = { key: string; value: string };

/** Append-only log of control actions and fired faults. */
export type ControlLogTable = {
  seq: Generated<number>;
  at: number;
  kind: string;
  fault_id: string | null;
  request_id: string | null;
  /** JSON. */
  data: string;
};
