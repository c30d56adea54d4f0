import type { RequestProtocol } from "../../../src/schema/record/requestProtocol.ts";
import type { RequestParts } from "./RequestParts.ts";
import { payingDeposit } from "./recordAmounts.ts";

/** Protocol fields of a record; null for requests without an order. */
export function recordProtocol(parts: RequestParts): RequestProtocol | null {
  const { quote, request, transactions } = parts;
  const v2 = quote.protocol?.v2;
  if (v2 === undefined) return null;
  const deposit = payingDeposit(parts);
  const mined = (kind: "fill" | "refund") =>
    transactions
      .filter((row) => row.kind === kind && row.state === "mined")
      .map((row) => ({ chainId: row.chain_id, transactionId: row.hash }));
  return {
    deposit: {
      origin:
        deposit === undefined
          ? undefined
          : {
              amount: deposit.amount,
              chainId: deposit.chain_id,
              currency: deposit.currency,
              depositor: deposit.depositor,
              depository: v2.paymentDetails?.depository,
              onchainId: deposit.tag,
              transactionId: deposit.tx_hash,
            },
    },
    hubType: "onchain",
    orderId: request.order_id,
    settlement: { destination: { fills: mined("fill"), refunds: mined("refund") } },
    solver: {
      address: v2.orderData?.solver,
      chainId: request.origin_chain_id,
      protocolChainId: v2.orderData?.solverChainId,
    },
  };
}
