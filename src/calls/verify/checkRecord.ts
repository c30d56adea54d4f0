import type { Hex } from "viem";
import { hashRecord } from "../../records/hashRecord.ts";
import { recordFromResponse } from "../../records/recordFromResponse.ts";
import { recoverSigner } from "../../records/recoverSigner.ts";
import { expectEqual, expectOneOf, type QuoteCheck, report } from "./QuoteCheck.ts";
import type { SignedRecord } from "./VerifyQuoteParameters.ts";

/** Gets the solver's record of a request; undefined where there is none. */
export type FetchRecord = (requestId: Hex) => Promise<SignedRecord | undefined>;

/** A payment under a request id: the solver signed who pays what and who is paid on which chain, and not how much. */
export async function checkRecord(check: QuoteCheck, fetchRecord: FetchRecord): Promise<void> {
  const payment = check.payments.find(({ kind }) => kind === "request");
  if (payment === undefined) return;
  const { policy, requestId, wanted } = check;
  if (policy.allowUnsignedOutput !== true) {
    report(
      check,
      "QUOTE_UNSIGNED_OUTPUT",
      payment.path,
      "a deposit for an order",
      "a payment under a request id",
    );
    return;
  }
  if ((wanted.txs ?? []).length > 0) {
    report(
      check,
      "QUOTE_CALLS",
      payment.path,
      "an order that holds the calls",
      "a payment under a request id",
    );
  }
  const signed = policy.record ?? (await fetchRecord(requestId as Hex));
  const path = "record";
  if (signed === undefined) {
    report(check, "QUOTE_RECORD", path, `the solver's record of ${requestId}`, "none");
    return;
  }
  const { requestData, signature } = signed;
  const compared = [
    ["QUOTE_CHAIN", "originChainId", wanted.originChainId],
    ["QUOTE_SENDER", "originUser", wanted.user],
    ["QUOTE_CURRENCY", "originCurrency", wanted.originCurrency],
    ["QUOTE_AMOUNT", "originAmount", wanted.amountIn],
    ["QUOTE_CHAIN", "destinationChainId", wanted.destinationChainId],
    ["QUOTE_RECIPIENT", "destinationUser", wanted.recipient],
  ] as const;
  for (const [code, field, expected] of compared) {
    expectEqual(check, code, `${path}.requestData.${field}`, expected, requestData[field]);
  }
  const signer = await signerOf(signed, requestId as Hex).catch(() => "an account that cannot be recovered");
  expectOneOf(check, "QUOTE_RECORD", `${path}.signature`, check.solvers, signer ?? signature);
}

async function signerOf({ requestData, signature }: SignedRecord, requestId: Hex): Promise<string> {
  const { digest } = hashRecord({ record: recordFromResponse({ requestData, requestId }) });
  return recoverSigner({ digest, signature });
}
