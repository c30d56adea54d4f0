import type { RelayedDepositRow } from "../../store/tables.ts";
import { permitKind } from "./permitKind.ts";
import type { RelayedKind } from "./RelayedKind.ts";
import { rawCallsKind } from "./rawCallsKind.ts";
import { sweepKind } from "./sweepKind.ts";

/** Every kind of relayed deposits, by the name that its rows have. */
export const relayedKinds: Readonly<Record<RelayedDepositRow["kind"], RelayedKind>> = {
  eip3009: permitKind,
  permit: permitKind,
  permit2: permitKind,
  "raw-calls": rawCallsKind,
  sweep: sweepKind,
};
