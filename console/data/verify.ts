import type { Address, Hex } from "viem";
import { hashOrder } from "../../src/records/hashOrder.ts";
import { normalizeOrder } from "../../src/records/normalizeOrder.ts";
import { recordFromResponse } from "../../src/records/SignatureRecord.ts";
import { verifyOrder } from "../../src/records/verifyOrder.ts";
import { verifyRecord } from "../../src/records/verifyRecord.ts";
import type { Quote } from "../../src/schema/quote/quote.ts";
import type { SignatureRecordResponse } from "../../src/schema/record/signatureRecord.ts";

/** Whether something signed is what it should be, with a sentence for people. */
export type Verdict = { readonly isValid: boolean; readonly text: string };

type Protocol = NonNullable<NonNullable<Quote["protocol"]>["v2"]>;

/** Checks an order by the library, as an integrator would. */
export async function checkOrder(v2: Protocol, solver: string | undefined): Promise<Verdict> {
  return judge(async () => {
    const { orderData, orderId, orderSignature } = v2;
    if (orderData == null) return { isValid: false, text: "There is no order." };
    const order = normalizeOrder({ orderData });
    const hash = hashOrder({ order });
    if (hash !== orderId?.toLowerCase()) {
      return { isValid: false, text: `The order's hash is ${hash}, not the order id.` };
    }
    if (orderSignature == null || solver === undefined) {
      return { isValid: true, text: "The order's hash is the order id." };
    }
    const verdict = await verifyOrder({
      order,
      orderId: orderId as Hex,
      signature: orderSignature as Hex,
      solver: solver as Address,
    });
    return verdict.valid
      ? { isValid: true, text: "The order's hash is the order id, and the solver signed it." }
      : { isValid: false, text: `The signature fails: ${verdict.reason}, signed by ${verdict.signer}.` };
  });
}

/** Checks a signed record by the library. */
export async function checkRecord(
  requestId: string,
  { requestData, signature }: SignatureRecordResponse,
  solver: string | undefined,
): Promise<Verdict> {
  return judge(async () => {
    const record = recordFromResponse({ requestData, requestId: requestId as Hex });
    const verdict = await verifyRecord({ record, signature: signature as Hex, solver: solver as Address });
    return verdict.valid
      ? { isValid: true, text: "The solver signed exactly these fields." }
      : { isValid: false, text: `Signed by ${verdict.signer}, not by the solver.` };
  });
}

async function judge(check: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await check();
  } catch (error) {
    return { isValid: false, text: `It cannot be verified: ${(error as Error).message}` };
  }
}
