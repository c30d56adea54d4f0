import type { Address } from "viem";
import type { GetQuoteParameters, Quote } from "../../../src/client/index.ts";
import type { ExecutionState } from "../../../src/execute/index.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import type { Accounts, RouteKind } from "./routeKinds.ts";
import type { User } from "./users.ts";

/** The caller's own figures. */
type Bounds = {
  readonly maximumInput: bigint;
  readonly minimumOutput: bigint;
};

/** An honest quote with its user, and the caller's expectations. */
export type Stage = {
  readonly fixture: EmulatorFixture;
  readonly kind: RouteKind;
  readonly accounts: Accounts;
  readonly user: User;
  readonly request: GetQuoteParameters;
  readonly quote: Quote;
  readonly bounds: Bounds;
  /** Quotes that the attacker requested from the same service, with real ids and the genuine solver. */
  readonly donors: readonly Quote[];
};

/** A hostile service's version of a quote. */
export type Mutant = {
  readonly name: string;
  readonly quote: Quote;
  /** Changes the service's answer to a signature. */
  readonly changeAnswer?: (answer: Record<string, unknown>) => Record<string, unknown>;
  /** A manipulated saved state. */
  readonly state?: ExecutionState;
};

/** The attacker: mutants try to pay this account. */
export const thief: Address = "0x00000000000000000000000000000000000bad00";
