import type { Hex } from "viem";
import type { QuoteMismatch, QuoteMismatchCode } from "../../errors/QuoteMismatchError.ts";
import { decodeCall } from "../decodeCall.ts";
import { Coded, encodeWhole, normalizeForComparison, Unmet } from "./compareWhole.ts";
import { proofFunctions } from "./routedCalls.ts";

/** Codes by the end of a path, without `QUOTE_`. The first row that fits counts. */
const codes: readonly (readonly [RegExp, string])[] = [
  [/paymentDetails\.depository$/, "TARGET"],
  [/paymentDetails|extraData$/, "ORDER"],
  [/refunds(?!.*deadline$)|\brefundTo$/, "REFUND"],
  [/currencyOut\.amount$|\b(?:expected|minimum)Amount$/, "OUTPUT"],
  [/data\.data\.to$|\b(?:nftRecipient|recipient)$/, "RECIPIENT"],
  [/data\.data\.data$|\b(?:metadata|requestId|tag)$/, "REQUEST_ID"],
  [/sign\.value\.to$|\bspender$/, "SPENDER"],
  [/(?:call3Values|calls)(?:\.\d+(?:\.\w+)?)?$/, "CALLS"],
  [/(?:sign\.value|permits\.\d+)\.value$|\b(?:amounts?(?:\.\d+)?|permitted)$/, "AMOUNT"],
  [/\bchainId$/, "CHAIN"],
  [/\b(?:address|currency|tokens?(?:\.\d+)?)$/, "CURRENCY"],
  [/\b(?:deadline|validAfter|validBefore)$/, "DEADLINE"],
  [/\b(?:amountFormatted|decimals|symbol)$/, "DISPLAY"],
  [/\bendpoint$/, "ENDPOINT"],
  [/\bgas$/, "GAS"],
  [/\b(?:id|orderId)$/, "ORDER_ID"],
  [/\b(?:depositor|from|owner|sender)$/, "SENDER"],
  [/\b(?:orderSignature|relayer|solver)$/, "SOLVER"],
  [/data\.(?:sign|witness|post)/, "SIGNATURE"],
  [/data\.value$/, "VALUE"],
  [/data\.to$/, "TARGET"],
  [/^protocol/, "ORDER"],
  [/./, "CALL"],
];

/** Compares two trees whole by their encodings, then explains for people how they differ. */
export function findDifferences(expected: unknown, actual: unknown): readonly QuoteMismatch[] {
  if (encodeWhole(expected) === encodeWhole(actual)) return [];
  const found: QuoteMismatch[] = [];
  walk(expected, actual, { found, path: "" });
  if (found.length > 0) return found;
  return [{ actual: "another quote", code: "QUOTE_CALL", expected: "the expected quote", path: "steps" }];
}

type Place = { readonly code?: QuoteMismatchCode; readonly found: QuoteMismatch[]; readonly path: string };

function walk(expected: unknown, actual: unknown, place: Place): void {
  if (expected instanceof Coded) {
    walk(expected.value, actual, { ...place, code: expected.code });
    return;
  }
  if (encodeWhole(expected) === encodeWhole(actual)) return;
  const [one, other] = [partsOf(expected, place.path), partsOf(actual, place.path)];
  if (one === undefined || other === undefined || one.kind !== other.kind) {
    note(expected, actual, place);
    return;
  }
  for (const name of new Set([...Object.keys(one.parts), ...Object.keys(other.parts)])) {
    const path = joinPath(place.path, name);
    walk(one.parts[name], other.parts[name], { ...place, path });
  }
}

/** Conditions and request ids are compared apart from the steps that they are about. */
function joinPath(path: string, name: string): string {
  if (path === "conditions") return "steps";
  if (path === "requestIds") return `steps.${name}.requestId`;
  return path === "" ? name : `${path}.${name}`;
}

function note(expected: unknown, actual: unknown, { code, found, path }: Place): void {
  const byPath = codes.find(([pattern]) => pattern.test(path))?.[1] as string;
  const unmet = expected instanceof Unmet ? expected : undefined;
  found.push({
    actual: unmet?.actual ?? describe(actual),
    code: unmet?.code ?? code ?? (`QUOTE_${byPath}` as QuoteMismatchCode),
    expected: unmet?.text ?? describe(expected),
    path,
  });
}

function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value instanceof Unmet) return value.text;
  return typeof value === "object" ? encodeWhole(value) : String(value);
}

type Parts = { readonly kind: string; readonly parts: Readonly<Record<string, unknown>> };

/** The fields of an object, the entries of an array, or the arguments of calldata. */
function partsOf(value: unknown, path: string): Parts | undefined {
  if (value instanceof Unmet) return undefined;
  if (Array.isArray(value)) return { kind: `array ${value.length}`, parts: { ...value } };
  if (typeof value === "object" && value !== null) {
    const { target } = value as { readonly target?: unknown };
    // Another target makes it another call.
    return { kind: `object ${normalizeForComparison(target)}`, parts: value as Parts["parts"] };
  }
  if (typeof value !== "string" || !/(?:\.data|\.callData|\.datas\.\d+)$/.test(path)) return undefined;
  const call = decodeCall(proofFunctions, value as Hex);
  if (call === undefined) return undefined;
  const names = call.item.inputs.map(({ name }, index) => [name ?? String(index), call.args?.[index]]);
  return {
    kind: `call ${call.functionName} ${call.item.inputs.length}`,
    parts: { ...Object.fromEntries(names), [call.functionName === "transfer" ? "id" : "tag"]: call.tag },
  };
}
