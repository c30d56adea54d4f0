import type { Hex, PrivateKeyAccount } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import type { TestChain } from "../emulatorFixture.ts";
import type { TestSymbol } from "../quotes/intents.ts";
import type { DrawnIntent } from "./drawIntent.ts";

/** Money that left a purse on purpose. */
export type Spending = {
  readonly chain: TestChain;
  readonly symbol: TestSymbol;
  readonly amount: bigint;
  /** Whether less may have been taken: a fixed output leaves what it does not need. */
  readonly isLimit: boolean;
};

/** What was done about a drawn intent. */
export type Outcome = {
  readonly drawn: DrawnIntent;
  readonly purse: PrivateKeyAccount;
  /** Absent where the service refused to quote. */
  readonly quote: Quote | undefined;
  readonly requestId: Hex | undefined;
  readonly spendings: readonly Spending[];
  /** Wei of gas, by chain. */
  readonly gas: ReadonlyMap<number, bigint>;
  /** Transactions that brought money, or did all that was asked for; by the purse or by another account. */
  readonly hashes: readonly Hex[];
};
