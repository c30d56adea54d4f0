import type { Hex } from "viem";
import type { Quote } from "../../src/schema/quote/quote.ts";
import type { RequestRecord } from "../../src/schema/record/requestV3.ts";
import type { RequestStatus } from "../../src/schema/request/requestStatus.ts";
import type { WebhookEvent } from "../../src/schema/request/statusUpdate.ts";

/** Answers of the emulator, as far as the console shows them; `/openapi.json` describes them. */

export type Amount = {
  readonly amount: string;
  readonly amountFormatted: string | null;
  readonly amountUsd: string | null;
  readonly chainId: number;
  readonly currency: string;
  readonly symbol: string | null;
};

/** A row of `GET /admin/requests`. */
export type RequestRow = {
  readonly requestId: string;
  readonly parentId: string | null;
  readonly status: RequestStatus;
  readonly failReason: string | null;
  readonly refundFailReason: string | null;
  readonly apiKeyId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly requestType: string;
  readonly referrer: string | null;
  readonly user: string;
  readonly recipient: string;
  readonly paid: Amount | null;
  readonly received: Amount | null;
  readonly refunded: Amount | null;
  readonly quoted: { readonly paid: Amount | null; readonly received: Amount | null };
};

export type RequestPage = {
  readonly continuation?: string;
  readonly counts?: Readonly<Partial<Record<RequestStatus, number>>>;
  readonly requests: readonly RequestRow[];
  readonly total?: number;
};

export type RequestDetail = {
  readonly quote: Partial<Pick<Quote, "details" | "fees" | "protocol">>;
  readonly record: RequestRecord;
  readonly request: RequestRow;
};

type Block = {
  readonly blockNumber: number | null;
  readonly blockAt: number | null;
  readonly chainId: number;
  readonly fee: string | null;
  readonly at: number;
};

export type History = {
  readonly children: readonly { readonly requestId: string; readonly status: RequestStatus }[];
  readonly deposits: readonly (Block & {
    readonly amount: string;
    readonly currency: string;
    readonly depositor: string;
    readonly id: string;
    readonly outcome: string;
    readonly reason: string | null;
    readonly txHash: string;
  })[];
  readonly details: string | null;
  readonly events: readonly {
    readonly at: number;
    readonly seq: number;
    readonly status: RequestStatus;
    readonly trigger: string;
    readonly txHash?: string;
    readonly failReason?: string;
    readonly refundFailReason?: string;
    readonly details?: string;
  }[];
  readonly failedCallData: {
    readonly from: string;
    readonly to: string;
    readonly data: string;
    readonly value: string;
  } | null;
  readonly failedTxBlockNumber: number | null;
  readonly failedTxHash: string | null;
  readonly transactions: readonly (Block & {
    readonly hash: string;
    readonly id: number;
    readonly kind: "fill" | "refund" | "cancel";
    readonly state: "signed" | "mined" | "reverted";
  })[];
};

/** A call of the API that named a request. */
export type ApiCall = {
  readonly answer: string;
  readonly at: number;
  readonly body: string;
  readonly count: number;
  readonly durationMs: number;
  readonly lastAt: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
};

export type Delivery = {
  readonly id: number;
  readonly apiKeyId: string;
  readonly requestId: string;
  readonly kind: string;
  readonly status: RequestStatus;
  readonly state: string;
  readonly createdAt: number;
  readonly nextAttemptAt: number | null;
  readonly payload: WebhookEvent;
  readonly attempts: readonly {
    readonly at: number;
    readonly statusCode: number | null;
    readonly error: string | null;
    readonly durationMs: number;
    readonly answer: string | null;
  }[];
};

export type Entry = {
  readonly at: number | null;
  readonly block: number | null;
  readonly from: string | null;
  readonly hash: string;
  readonly method: string | null;
  readonly to: string | null;
  readonly value: string;
};

type Currency = { readonly currency: string; readonly decimals: number; readonly symbol: string };
type RequestLink = { readonly id: string; readonly status: RequestStatus };

/** A call inside a transaction. */
export type CallFrame = {
  readonly calls?: readonly CallFrame[];
  readonly error?: string;
  readonly from: string;
  readonly input: Hex;
  readonly output?: Hex;
  readonly to?: string;
  readonly type: string;
  readonly value?: Hex;
};

export type Transaction = Entry & {
  readonly balances: readonly (Currency & {
    readonly account: string;
    readonly after: string;
    readonly before: string;
  })[];
  readonly data: string | null;
  readonly error: string | null;
  readonly events: readonly {
    readonly address: string;
    readonly data: Hex;
    readonly topics: [Hex, ...Hex[]] | [];
  }[];
  readonly fee: string | null;
  readonly logs: readonly string[];
  readonly nonce: number | null;
  readonly requests: readonly RequestLink[];
  readonly status: "pending" | "success" | "failure";
  readonly trace: CallFrame | null;
};

export type ChainView = {
  readonly blocks: readonly {
    readonly at: number;
    readonly hash: string;
    readonly number: number;
    readonly transactions: readonly Entry[];
  }[];
  readonly contracts: Readonly<Record<string, string>>;
  readonly currencies: readonly (Currency & { readonly name: string })[];
  readonly displayName: string;
  readonly height: number;
  readonly id: number;
  readonly name: string;
  readonly pools: readonly { readonly address: string; readonly tokens: readonly string[] }[];
  readonly rpcUrl: string;
  readonly vmType: "evm" | "hypevm" | "svm";
};

export type AccountView = {
  readonly address: string;
  readonly balances: readonly (Currency & { readonly amount: string })[];
  readonly isContract: boolean;
  readonly requests: readonly RequestLink[];
};

/** A line of `GET /admin/activity`. */
export type Activity = {
  readonly at: number;
  readonly kind: string;
  readonly requestId?: string;
  readonly status?: RequestStatus;
  readonly trigger?: string;
  readonly action?: string;
};
