import { zeroAddress } from "viem";
import { isServicePath } from "../../internal/joinUrl.ts";
import type { Eip712Sign, SignatureData } from "../../schema/step.ts";
import { checkDeadline } from "./checkOrder.ts";
import { checkRouted, type RoutedCall } from "./checkRouted.ts";
import { checkPulled } from "./checkTransaction.ts";
import { amongTrusted, differ, type QuoteCheck, quantity, same } from "./QuoteCheck.ts";
import { permit2 } from "./trusted.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A signature of the user: a permission to take what is paid, or a link between accounts. */
export function checkSignature(check: QuoteCheck, { post, sign }: SignatureData, path: string): void {
  // Anything else could carry the signature to another host, or out of the service's prefix.
  if (!isServicePath(post.endpoint)) {
    differ(check, "QUOTE_ENDPOINT", `${path}.post.endpoint`, "a path of the service", post.endpoint);
  }
  if (post.body.requestId !== undefined) {
    same(check, "QUOTE_REQUEST_ID", `${path}.post.body.requestId`, check.requestId, post.body.requestId);
  }
  if (check.wanted.request === undefined) return;
  if (sign.signatureKind === "eip712") checkTypedData(check, sign, `${path}.sign`);
  else unknown(check, `${path}.sign`, sign.signatureKind);
}

function checkTypedData(check: QuoteCheck, sign: Eip712Sign, path: string): void {
  const { primaryType, types, value } = sign;
  const at = `${path}.value`;
  // Values without a type are not signed, so what is read here must be what is signed.
  const signed = (types[primaryType] ?? []).map(({ name }) => name).sort();
  same(
    check,
    "QUOTE_SIGNATURE",
    `${path}.types.${primaryType}`,
    Object.keys(value).sort().join(),
    signed.join(),
  );
  switch (primaryType) {
    case "NonceMapping":
      same(check, "QUOTE_SENDER", `${at}.wallet`, check.wanted.user, value.wallet);
      if (check.orderId !== undefined) same(check, "QUOTE_ORDER_ID", `${at}.id`, check.orderId, value.id);
      return;
    case "Permit":
      checkDomain(check, sign, check.wanted.originCurrency, path);
      same(check, "QUOTE_SENDER", `${at}.owner`, check.wanted.user, value.owner);
      checkPermission(check, { amount: value.value, deadline: value.deadline, spender: value.spender }, at);
      return;
    case "ReceiveWithAuthorization":
      checkDomain(check, sign, check.wanted.originCurrency, path);
      same(check, "QUOTE_SENDER", `${at}.from`, check.wanted.user, value.from);
      checkPermission(check, { amount: value.value, deadline: value.validBefore, spender: value.to }, at);
      return;
    case "PermitWitnessTransferFrom":
    case "PermitBatchWitnessTransferFrom":
      checkDomain(check, sign, permit2, path);
      checkPermit2(check, value, at);
      return;
    default:
      unknown(check, path, primaryType);
  }
}

/** Whether nothing else can be meant by the signature than by the words of its type. */
function checkDomain(check: QuoteCheck, { domain }: Eip712Sign, contract: string, path: string): void {
  const at = `${path}.domain`;
  same(check, "QUOTE_CHAIN", `${at}.chainId`, check.wanted.originChainId, quantity(domain.chainId));
  same(check, "QUOTE_SIGNATURE", `${at}.verifyingContract`, contract, domain.verifyingContract);
}

function checkPermission(
  check: QuoteCheck,
  { amount, deadline, spender }: { amount: unknown; deadline: unknown; spender: unknown },
  path: string,
): void {
  check.payments.push(path);
  amongTrusted(check, "QUOTE_SPENDER", path, "spenders", spender);
  same(check, "QUOTE_AMOUNT", path, check.wanted.amountIn, quantity(amount));
  checkExpiry(check, deadline, path);
}

function checkExpiry(check: QuoteCheck, deadline: unknown, path: string): void {
  const at = quantity(deadline);
  const seconds = check.wanted.request?.permitExpiry;
  if (typeof at === "bigint") checkDeadline(check, `${path}.deadline`, at, seconds);
  else differ(check, "QUOTE_DEADLINE", `${path}.deadline`, "unix seconds", deadline);
}

function checkPermit2(check: QuoteCheck, value: Fields, path: string): void {
  check.payments.push(path);
  const permitted = [value.permitted].flat().map(fieldsOf);
  const pulled = {
    amounts: permitted.map(({ amount }) => amount),
    tokens: permitted.map(({ token }) => token),
  };
  checkPulled(check, pulled, `${path}.permitted`);
  amongTrusted(check, "QUOTE_SPENDER", `${path}.spender`, "spenders", value.spender);
  checkExpiry(check, value.deadline, path);
  const witness = fieldsOf(value.witness);
  const calls = [witness.call3Values ?? []].flat().map((call): RoutedCall => {
    const { allowFailure, callData, target, value: given } = fieldsOf(call);
    const wei = quantity(given ?? 0);
    return {
      allowFailure: allowFailure === true,
      callData: String(callData) as `0x${string}`,
      target: String(target) as `0x${string}`,
      // No call that was asked for has less than nothing.
      value: typeof wei === "bigint" ? wei : -1n,
    };
  });
  checkRouted(
    check,
    {
      calls,
      nftRecipient: String(witness.nftRecipient ?? zeroAddress),
      refundTo: String(witness.refundTo),
      tag: /^0x(?:[0-9a-f]{2})*$/i.test(String(witness.metadata))
        ? (witness.metadata as `0x${string}`)
        : "0x",
    },
    `${path}.witness`,
  );
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** What cannot be read cannot be proven. */
function unknown(check: QuoteCheck, path: string, kind: string): void {
  differ(check, "QUOTE_SIGNATURE", path, "a permission or a nonce mapping", kind);
}
