import { zeroAddress } from "viem";
import { isServicePath } from "../../internal/joinUrl.ts";
import type { Eip712Sign, SignatureData } from "../../schema/quote/step.ts";
import { checkDeadline } from "./checkDeadline.ts";
import { checkPulled } from "./checkTransaction.ts";
import { checkWitness } from "./checkWitness.ts";
import { normalizeForComparison } from "./normalizeForComparison.ts";
import { boundedSeconds } from "./proofDefaults.ts";
import { expectEqual, expectRole, type QuoteCheck, quantity, report } from "./QuoteCheck.ts";
import {
  authorizationForm,
  describeTypes,
  fitsType,
  nonceMappingForm,
  permit2Form,
  permitForm,
  type TypedDataForm,
  typesWithDomain,
} from "./typedDataForms.ts";

/** Chain id of the perps exchange. */
const exchangeChainId = 1337;
/** Longest validity of a permit, in seconds, by default. */
const usualPermitSeconds = 3600;

type Fields = Readonly<Record<string, unknown>>;
type Post = SignatureData["post"];

/** Checks a signature of the user: a permit for the payment, or a nonce mapping of the exchange. */
export function checkSignature(check: QuoteCheck, data: SignatureData, path: string): void {
  const { post, sign, witness } = data;
  // Any other endpoint could send the signature to another host or prefix.
  if (!isServicePath(post.endpoint)) {
    report(check, "QUOTE_ENDPOINT", `${path}.post.endpoint`, "a path of the service", post.endpoint);
  }
  const { requestId } = post.body;
  if (requestId !== undefined) {
    expectEqual(check, "QUOTE_REQUEST_ID", `${path}.post.body.requestId`, check.requestId, requestId);
  }
  if (check.wanted.request === undefined) return;
  const at = `${path}.sign`;
  if (sign.signatureKind !== "eip712") refuse(check, at, sign.signatureKind);
  else checkTypedData(check, { post, sign, witness }, at);
}

function checkTypedData(
  check: QuoteCheck,
  { post, sign, witness }: { readonly post: Post; readonly sign: Eip712Sign; readonly witness: unknown },
  path: string,
): void {
  const { primaryType, value } = sign;
  const at = `${path}.value`;
  if (primaryType === "NonceMapping") {
    checkMapping(check, sign, path);
    return;
  }
  if (check.wanted.request?.usePermit !== true) {
    report(check, "QUOTE_SIGNATURE", path, "no permit, as none was asked for", primaryType);
  }
  switch (primaryType) {
    case "Permit":
      checkPost(check, post, "permit", path);
      if (!checkForm(check, sign, permitForm, path)) return;
      checkDomain(check, sign, check.wanted.originCurrency, path);
      expectEqual(check, "QUOTE_SENDER", `${at}.owner`, check.wanted.user, value.owner);
      checkPermission(check, { amount: value.value, deadline: value.deadline }, at);
      checkSpender(check, value.spender, at);
      check.permits.push(path);
      return;
    case "ReceiveWithAuthorization":
      checkPost(check, post, "eip3009", path);
      if (!checkForm(check, sign, authorizationForm, path)) return;
      checkDomain(check, sign, check.wanted.originCurrency, path);
      checkAuthorization(check, { value, witness }, at);
      return;
    case "PermitBatchWitnessTransferFrom":
      checkPost(check, post, "permit2", path);
      checkPermit2(check, sign, path);
      return;
    default:
      refuse(check, path, primaryType);
  }
}

/** Allows one nonce mapping, of the user, for this order, and only for payments from the exchange. */
function checkMapping(check: QuoteCheck, sign: Eip712Sign, path: string): void {
  const at = `${path}.value`;
  check.mappings.push(path);
  expectEqual(check, "QUOTE_SIGNATURE", path, exchangeChainId, check.wanted.originChainId);
  if (!checkForm(check, sign, nonceMappingForm, path)) return;
  const { domain, value } = sign;
  expectEqual(check, "QUOTE_SIGNATURE", `${path}.domain.name`, "RelayNonceMapping", domain.name);
  expectEqual(check, "QUOTE_SIGNATURE", `${path}.domain.version`, "2", domain.version);
  const contract = domain.verifyingContract;
  expectEqual(check, "QUOTE_SIGNATURE", `${path}.domain.verifyingContract`, zeroAddress, contract);
  expectEqual(check, "QUOTE_SIGNATURE", `${at}.chainId`, "hyperliquid", value.chainId);
  expectEqual(check, "QUOTE_SENDER", `${at}.wallet`, check.wanted.user, value.wallet);
  expectEqual(check, "QUOTE_ORDER_ID", `${at}.id`, check.orderId ?? "the order's", value.id);
}

/** Checks the endpoint and body that the signature is posted with. */
function checkPost(check: QuoteCheck, { body, endpoint }: Post, kind: string, path: string): void {
  const at = path.replace(/sign$/, "post");
  expectEqual(check, "QUOTE_ENDPOINT", `${at}.endpoint`, "/execute/permits", endpoint);
  expectEqual(check, "QUOTE_SIGNATURE", `${at}.body.kind`, kind, body.kind);
  expectEqual(check, "QUOTE_REQUEST_ID", `${at}.body.requestId`, check.requestId, body.requestId);
}

/** Checks types and fields against the form: libraries sign by the types, and wallets show the fields. */
function checkForm(check: QuoteCheck, sign: Eip712Sign, form: TypedDataForm, path: string): boolean {
  const { domain, primaryType, types, value } = sign;
  const own = describeTypes(Object.hasOwn(types, "EIP712Domain") ? typesWithDomain(form) : form.types);
  const given = describeTypes(types);
  expectEqual(check, "QUOTE_SIGNATURE", `${path}.types`, own, given);
  const fields = Object.keys(domain).sort().join();
  expectEqual(check, "QUOTE_SIGNATURE", `${path}.domain`, [...form.domain].sort().join(), fields);
  const contract = domain.verifyingContract;
  if (!fitsType(contract, "address", form.types)) {
    report(check, "QUOTE_SIGNATURE", `${path}.domain.verifyingContract`, "an address", contract);
  }
  const fits = fitsType(value, primaryType, form.types);
  if (!fits) report(check, "QUOTE_SIGNATURE", `${path}.value`, `the fields of ${primaryType}`, value);
  return fits && own === given;
}

/** Checks the EIP-712 domain. */
function checkDomain(check: QuoteCheck, { domain }: Eip712Sign, contract: string, path: string): void {
  const at = `${path}.domain`;
  const { originChainId } = check.wanted;
  expectEqual(check, "QUOTE_CHAIN", `${at}.chainId`, originChainId, quantity(domain.chainId));
  expectEqual(check, "QUOTE_SIGNATURE", `${at}.verifyingContract`, contract, domain.verifyingContract);
}

function checkPermission(
  check: QuoteCheck,
  { amount, deadline }: { readonly amount: unknown; readonly deadline: unknown },
  path: string,
): void {
  expectEqual(check, "QUOTE_AMOUNT", path, check.wanted.amountIn, quantity(amount));
  const { policy, wanted } = check;
  const asked = wanted.request?.permitExpiry;
  const seconds = boundedSeconds(asked, policy.maximumPermitSeconds, usualPermitSeconds);
  checkDeadline(check, `${path}.deadline`, quantity(deadline) as bigint, seconds);
}

/** An approval proxy takes tokens only from its caller, or for calls that the owner signed. */
function checkSpender(check: QuoteCheck, spender: unknown, path: string) {
  const { routers = [] } = check.chains.origin ?? {};
  const proxies = routers.map(({ approvalProxy }) => approvalProxy);
  expectRole(check, "QUOTE_SPENDER", path, "approval proxy", proxies, spender);
  return routers.find(
    ({ approvalProxy }) => normalizeForComparison(approvalProxy) === normalizeForComparison(spender),
  );
}

function checkAuthorization(
  check: QuoteCheck,
  { value, witness }: { readonly value: Fields; readonly witness: unknown },
  path: string,
): void {
  const { from, nonce, to, validAfter, validBefore } = value;
  expectEqual(check, "QUOTE_SENDER", `${path}.from`, check.wanted.user, from);
  checkPermission(check, { amount: value.value, deadline: validBefore }, path);
  if ((quantity(validAfter) as bigint) > BigInt(check.now)) {
    report(check, "QUOTE_DEADLINE", `${path}.validAfter`, `at most ${check.now}`, validAfter);
  }
  const by = checkSpender(check, to, path);
  const kind = checkWitness(check, { by, hash: nonce, witness }, path.replace(/sign\.value$/, "witness"));
  check.payments.push({ kind, path, puller: undefined });
}

function checkPermit2(check: QuoteCheck, sign: Eip712Sign, path: string): void {
  const at = `${path}.value`;
  const { value } = sign;
  const by = checkSpender(check, value.spender, `${at}.spender`);
  const form = permit2Form(by?.version ?? "v3");
  const isForm = checkForm(check, sign, form, path);
  const { permit2 } = check.chains.origin ?? {};
  const role = "Permit2";
  expectRole(
    check,
    "QUOTE_SIGNATURE",
    `${path}.domain.verifyingContract`,
    role,
    [permit2],
    sign.domain.verifyingContract,
  );
  expectEqual(check, "QUOTE_SIGNATURE", `${path}.domain.name`, role, sign.domain.name);
  const chainId = quantity(sign.domain.chainId);
  expectEqual(check, "QUOTE_CHAIN", `${path}.domain.chainId`, check.wanted.originChainId, chainId);
  if (!isForm) return;
  const permitted = value.permitted as readonly Fields[];
  const pulled = {
    amounts: permitted.map(({ amount }) => amount),
    tokens: permitted.map(({ token }) => token),
  };
  checkPulled(check, pulled, `${at}.permitted`);
  checkPermission(check, { amount: check.wanted.amountIn, deadline: value.deadline }, at);
  const kind = checkWitness(check, { by, witness: value.witness }, `${at}.witness`);
  check.payments.push({ kind, path: at, puller: permit2 });
}

/** Reports data that the proof cannot decode. */
function refuse(check: QuoteCheck, path: string, kind: string): void {
  report(check, "QUOTE_SIGNATURE", path, "a permission or a nonce mapping", kind);
}
