import type { Hex, PrivateKeyAccount } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import type { TestChain } from "../emulatorFixture.ts";
import type { TestSymbol } from "../quotes/intents.ts";
import type { DrawnIntent } from "./drawIntent.ts";

/** An intended payment from a purse. */
export type Spending = {
  readonly chain: TestChain;
  readonly symbol: TestSymbol;
  readonly amount: bigint;
  /** Whether the payment may be smaller: a fixed output leaves the rest of its input. */
  readonly isLimit: boolean;
};

/** The executed steps of a drawn intent. */
export type Outcome = {
  readonly drawn: DrawnIntent;
  readonly purse: PrivateKeyAccount;
  /** Absent if the service refused to quote. */
  readonly quote: Quote | undefined;
  readonly requestId: Hex | undefined;
  readonly spendings: readonly Spending[];
  /** Wei of gas, by chain. */
  readonly gas: ReadonlyMap<number, bigint>;
  /** Deposits and same-chain transactions, by the purse or by another account. */
  readonly hashes: readonly Hex[];
};
