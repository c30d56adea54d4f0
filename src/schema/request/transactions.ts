import * as z from "zod/mini";
import { bytes32Schema } from "../wire/hex.ts";
import { wholeNumber } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

/** A chain id of these endpoints: text from the service's client, a number in its documents. */
const anyChainId = z.union([
  wholeNumber(1),
  z.string().check(z.regex(/^[1-9][0-9]{0,15}$/, "not a chain id")),
]);
const transactionHash = z.string().check(z.minLength(1), z.maxLength(256));

/** Body of `POST /transactions/index`: look at this transaction now. */
export type IndexTransactionRequest = z.output<typeof indexTransactionRequestSchema>;
export const indexTransactionRequestSchema = wireObject({
  chainId: anyChainId,
  /** Hash in the chain's format. */
  txHash: transactionHash,
  requestId: z.optional(bytes32Schema),
  referrer: z.optional(z.string().check(z.maxLength(1024))),
});

/** Body of `POST /transactions/single`: look at this transaction of a same-chain request now. */
export type SingleTransactionRequest = z.output<typeof singleTransactionRequestSchema>;
export const singleTransactionRequestSchema = wireObject({
  requestId: bytes32Schema,
  chainId: anyChainId,
  /** JSON of the step's transaction with its `txHash`. */
  tx: z.string().check(z.minLength(2), z.maxLength(262_144)),
  referrer: z.optional(z.string().check(z.maxLength(1024))),
});

/** Response of endpoints that return only a message of success. */
export type Message = z.output<typeof messageSchema>;
export const messageSchema = wireObject({ message: z.optional(z.string()) });
