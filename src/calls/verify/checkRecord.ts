import { encodeAbiParameters, type Hex, hashMessage, keccak256, pad, parseAbiParameters } from "viem";
import { recoverSigner } from "../../records/recoverSigner.ts";
import { expectOneOf, type QuoteCheck, report } from "./QuoteCheck.ts";
import type { SignedRecord } from "./VerifyQuoteParameters.ts";

/** Fetches the solver's signature of a request's record; undefined if there is none. */
export type FetchRecord = (requestId: Hex) => Promise<SignedRecord | undefined>;

const members = /* @__PURE__ */ parseAbiParameters(
  "bytes32, uint256, bytes32, bytes32, uint256, uint256, bytes32",
);

/**
 * Checks the solver's record for a payment under a request id. The record holds payer, input, recipient and chain, but
 * no output amount. It is rebuilt from the request, so a signature of other values recovers another signer.
 */
export async function checkRecord(check: QuoteCheck, fetchRecord: FetchRecord): Promise<void> {
  const payment = check.payments.find(({ kind }) => kind === "request");
  if (payment === undefined) return;
  const { path } = payment;
  const { policy, requestId, wanted } = check;
  const paid = "a payment under a request id";
  if (policy.allowUnsignedOutput !== true) {
    report(check, "QUOTE_UNSIGNED_OUTPUT", path, "a deposit for an order", paid);
    return;
  }
  if ((wanted.txs ?? []).length > 0)
    report(check, "QUOTE_CALLS", path, "an order that holds the calls", paid);
  const signed = policy.record ?? (await fetchRecord(requestId as Hex));
  const signer = await signerOf(check, signed?.signature ?? "0x").catch(() => "nobody");
  expectOneOf(check, "QUOTE_RECORD", "record.signature", check.solvers, signer);
}

async function signerOf({ requestId, wanted }: QuoteCheck, signature: Hex): Promise<string> {
  const { amountIn, destinationChainId, originChainId, originCurrency, recipient, user } = wanted;
  const [payer, currency, payee] = [user, originCurrency, recipient].map((address) => pad(address as Hex));
  const record = encodeAbiParameters(members, [
    requestId as Hex,
    BigInt(originChainId),
    payer as Hex,
    currency as Hex,
    amountIn,
    BigInt(destinationChainId),
    payee as Hex,
  ]);
  return recoverSigner({ digest: hashMessage({ raw: keccak256(record) }), signature });
}
