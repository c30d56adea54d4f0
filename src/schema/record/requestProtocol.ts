import * as z from "zod/mini";
import { openEnum } from "../wire/openEnum.ts";
import { intStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";

const text = z.nullish(z.string());
const chainId = z.nullish(z.number());
const tokenMetadata = z.nullish(wireObject({ decimals: z.nullish(z.number()), name: text, symbol: text }));
const attestation = z.nullish(
  wireObject({
    execution: z.nullish(wireObject({ actions: z.optional(z.array(z.string())), idempotencyKey: text })),
    attestations: z.nullish(
      z.array(
        wireObject({ oracleChainId: text, oracleContract: text, signerAddress: text, signature: text }),
      ),
    ),
  }),
);
const transactions = z.optional(
  z.array(
    wireObject({
      /** Id of the chain. */
      chainId,
      transactionId: text,
    }),
  ),
);
const hubFields = {
  amount: z.nullish(intStringSchema),
  chainId,
  currency: text,
  hash: text,
  tokenMetadata,
};

/** Protocol data of a request record: the order, its deposit and its settlement. */
export type RequestProtocol = z.output<typeof requestProtocolSchema>;
export const requestProtocolSchema = wireObject({
  /** Id in the deposit; not the request id. */
  orderId: text,
  hubType: z.optional(openEnum(["onchain"])),
  isWithdrawable: z.nullish(z.boolean()),
  solver: z.nullish(wireObject({ address: text, protocolChainId: text, chainId })),
  deposit: z.nullish(
    wireObject({
      origin: z.nullish(
        wireObject({
          /** Smallest units. */
          amount: z.nullish(intStringSchema),
          chainId,
          currency: text,
          depositor: text,
          depository: text,
          onchainId: text,
          transactionId: text,
        }),
      ),
      relay: z.nullish(wireObject({ ...hubFields, operation: z.optional(openEnum(["mint"])) })),
      attestation,
    }),
  ),
  settlement: z.nullish(
    wireObject({
      destination: z.nullish(wireObject({ fills: transactions, refunds: transactions })),
      relay: z.nullish(
        wireObject({
          ...hubFields,
          operation: z.optional(openEnum(["transfer", "burn", "mixed"])),
          solver: text,
        }),
      ),
      attestation,
    }),
  ),
});
