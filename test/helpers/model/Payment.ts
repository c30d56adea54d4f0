import type { Address, Hex, PrivateKeyAccount } from "viem";
import type { Client, GetQuoteParameters } from "../../../src/client/index.ts";
import type { TestChain } from "../emulatorFixture.ts";
import type { PaymentKind, PaymentPlan } from "./paymentKinds.ts";

/** A payment and its expected outcome. No other payment has its recipient or refundTo. */
export type Payment = {
  readonly kind: PaymentKind;
  readonly plan: PaymentPlan;
  /** The request that was quoted; orphans name none. */
  readonly requestId: Hex | undefined;
  /** Each is a deposit, or the user's own transaction; the service's deposits for its user are excluded. */
  readonly hashes: readonly string[];
  /** The chain of the recipient. */
  readonly filledOn: number;
  /** The chain of the payment and of expected refunds. */
  readonly paidOn: number;
  /** In the form of its chain, like `refundTo`. */
  readonly recipient: string;
  readonly refundTo: string;
  /** Amount that the recipient receives when filled, or its minimum. */
  readonly promised: bigint;
  /** Amount of each deposit, or its most out of a swap; a refund is lower by its gas. */
  readonly deposited: bigint;
  /** The solver's transactions that pull a user's signed payment, or sweep a deposit address. */
  readonly relays: number;
  /** The payout of a claim, made once. */
  readonly payout?: {
    readonly requestId: Hex;
    readonly chainId: number;
    readonly account: Address;
    readonly amount: bigint;
  };
  /** The deposit address; its sweep is the deposit. */
  readonly depositAddress?: Address;
  /** Millionths of a dollar that a sponsor pays, once. */
  readonly sponsored: bigint;
  /** Native currency that the recipient receives besides the output. */
  readonly topup: bigint;
  /** Other accounts of EVM chains that the payment passes. */
  readonly passes?: readonly Address[];
};

/** What a way of paying adds to its payment. */
export type Paid = Pick<Payment, "hashes" | "relays"> &
  Partial<Pick<Payment, "depositAddress" | "deposited" | "passes" | "payout" | "promised" | "refundTo">>;

/** Calls a replica of the service, again until one answers; an error of HTTP below 500 is thrown at once. */
export type Ask = <Answer>(
  call: (replica: { readonly client: Client; readonly apiUrl: string }) => Promise<Answer>,
) => Promise<Answer>;

/** The user who pays. */
export type Payer = {
  readonly origin: TestChain;
  readonly destination: TestChain;
  readonly solver: Address;
  /** Index among the test mnemonic's accounts. */
  readonly index: number;
  /** An account that pays for this payer on the origin chain, and for no other. */
  readonly partner: number;
};

/** A payer with one payment. */
export type User = Payer & {
  readonly intent: GetQuoteParameters;
  /** An account that no other payment uses. */
  readonly purse: PrivateKeyAccount;
};

/** A request in the form of the admin routes. */
export type RequestState = {
  readonly requestId: Hex;
  readonly status: string;
  readonly details: string | null;
  readonly failReason: string | null;
  readonly events: readonly { readonly status: string; readonly trigger: string }[];
  readonly children: readonly { readonly requestId: Hex }[];
  readonly deposits: readonly { readonly outcome: string }[];
  readonly transactions: readonly { readonly hash: string; readonly kind: string; readonly state: string }[];
};
