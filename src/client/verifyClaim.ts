import { type Hex, maxUint256 } from "viem";
import {
  type ClaimMismatch,
  type ClaimMismatchCode,
  ClaimMismatchError,
} from "../errors/ClaimMismatchError.ts";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { assertNumber, assertValid, readObject } from "../internal/readParts.ts";
import { show } from "../internal/show.ts";
import { type ClaimRequest, claimRequestSchema } from "../schema/quote/appFees.ts";
import type { SignatureStep } from "../schema/quote/step.ts";
import { anyAddressSchema } from "../schema/wire/hex.ts";
import { uintStringSchema } from "../schema/wire/wireAmount.ts";
import { claimStep, claimTypedData } from "./internal/claimForm.ts";
import { readParameters, toWireAmount } from "./internal/parameters.ts";

/** A claim as its caller asks for it, with the bounds of what may be signed. */
export type ClaimTerms = Omit<ClaimRequest, "amount"> & {
  /** Taken from the balance, in smallest units of `currency`. Default: the whole balance. */
  amount?: bigint | string | undefined;
  /** Owner of the fees, who signs. */
  wallet: string;
  /** Minimum that the recipient receives, in smallest units of `currency`: the amount less gas. */
  minimumPayout?: bigint | string | undefined;
  /** Accepts any payout, instead of `minimumPayout`. */
  bounds?: "none" | undefined;
  /** Maximum validity of the signature, in seconds. Default: 3,600. */
  maximumSeconds?: number | undefined;
  /**
   * Accepts a message of 32 bytes, the request's id, which names neither amount nor recipient. The public service asks for
   * it. Such bytes can also be the hash of a transaction of a smart account, or of an order. Allow it only for a wallet that
   * owns no smart account and signs no orders. Default: false.
   */
  allowOpaqueMessage?: boolean | undefined;
};

export type VerifyClaimParameters = ClaimTerms & {
  /** Unix milliseconds. Default: the present. */
  now?: number | undefined;
  /** The steps of the service's answer. */
  steps: unknown;
};

/** The proven step. It has one item, whose signature claims the fees. */
export type VerifyClaimReturnType = { steps: [SignatureStep] };

const usualSeconds = 3_600;
const mostDifferences = 20;
const dataPath = "steps.0.items.0.data";

/**
 * Proves before signing that a claim of app fees is what its caller asked for. Builds the one expected claim from the request
 * and compares the answer with it, whole. The service chooses the request's id, a deadline, a payout within the bounds, and
 * the amount where the request names none.
 *
 * @param parameters The answer's steps, the request, and the caller's bounds.
 * @returns The step to sign, built here, and not the answer's.
 * @throws {ClaimMismatchError} For the first difference, and all others.
 * @throws {InvalidParameterError} For an invalid argument, by name; `minimumPayout` without a bound.
 *
 * @example
 * import { ClaimMismatchError, verifyClaim } from "waybill/client";
 *
 * const wallet = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
 * const currency = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
 * try {
 *   verifyClaim({ chainId: 8453, currency, minimumPayout: 9_000_000n, recipient: wallet, steps: [], wallet });
 * } catch (error) {
 *   if (error instanceof ClaimMismatchError) console.log(error.code, error.path); // CLAIM_FORM steps
 * }
 */
export function verifyClaim(parameters: VerifyClaimParameters): VerifyClaimReturnType {
  const terms = readClaimTerms(parameters);
  const { now = Date.now(), steps } = parameters;
  assertNumber("now", now, 0);
  const found: ClaimMismatch[] = [];
  const report = (code: ClaimMismatchCode, path: string, expected: string, actual: unknown): void => {
    if (found.length < mostDifferences) found.push({ actual: show(actual), code, expected, path });
  };
  const step = onlyEntry(steps, "steps", report);
  const item = onlyEntry(step["items"], "steps.0.items", report);
  const data = fieldsOf(item["data"]);
  const { post, sign } = data;
  const requestId = readRequestId(fieldsOf(fieldsOf(post)["body"])["requestId"], report);
  const { message, primaryType, signatureKind, value } = fieldsOf(sign);
  const isOpaque = signatureKind === "eip191";
  if (isOpaque && !terms.allowOpaqueMessage) {
    const expected = "typed data that names wallet, currency, payout and recipient (or `allowOpaqueMessage`)";
    report("CLAIM_OPAQUE", `${dataPath}.sign.message`, expected, message);
  }
  if (!isOpaque && primaryType !== "Claim") {
    report("CLAIM_FORM", `${dataPath}.sign.primaryType`, "Claim", primaryType);
  }
  // Every field of another form would differ too.
  expectNone(found);
  const chosen = isOpaque ? undefined : readChosen(fieldsOf(value), { now, terms }, report);
  const proven = claimStep(
    requestId,
    chosen === undefined
      ? { message: requestId, signatureKind: "eip191" }
      : claimTypedData({ ...terms.fixed, ...chosen, requestId }),
  );
  const wanted = proven.items[0]?.data;
  for (const [name, actual] of [
    ["sign", sign],
    ["post", post],
  ] as const) {
    compareFields(wanted?.[name], actual, `${dataPath}.${name}`, (path, expected, got) =>
      report(codeAt(path), path, expected, got),
    );
  }
  for (const name of ["id", "kind"] as const) {
    if (step[name] !== proven[name]) report("CLAIM_FORM", `steps.0.${name}`, proven[name], step[name]);
  }
  if (step["requestId"] !== undefined) {
    compareFields(requestId, step["requestId"], "steps.0.requestId", (path, expected, got) =>
      report("CLAIM_REQUEST_ID", path, expected, got),
    );
  }
  expectNone(found);
  return { steps: [proven] };
}

function expectNone([first, ...others]: readonly ClaimMismatch[]): void {
  if (first !== undefined) throw new ClaimMismatchError([first, ...others]);
}

/**
 * Parses a caller's terms of a claim.
 *
 * @throws InvalidParameterError for an invalid part, by name.
 */
export function readClaimTerms(parameters: ClaimTerms) {
  const {
    allowOpaqueMessage = false,
    amount,
    bounds,
    maximumSeconds = usualSeconds,
    minimumPayout,
  } = readObject(parameters, "parameters") as ClaimTerms;
  const { chainId, currency, recipient } = readParameters(claimRequestSchema, {
    chainId: parameters.chainId,
    currency: parameters.currency,
    recipient: parameters.recipient,
  });
  const wallet = readParameters(anyAddressSchema, parameters.wallet, "wallet");
  assertNumber("maximumSeconds", maximumSeconds, 1);
  assertValid(typeof allowOpaqueMessage === "boolean", "allowOpaqueMessage", "neither true nor false");
  assertValid(bounds === undefined || bounds === "none", "bounds", 'not "none"');
  const read = (given: bigint | string, name: string) =>
    BigInt(readParameters(uintStringSchema, toWireAmount(given, name), name));
  const whole = amount === undefined ? undefined : read(amount, "amount");
  if (minimumPayout === undefined && bounds === undefined && !allowOpaqueMessage) {
    const reason = 'pass the least that must arrive, or `bounds: "none"`';
    throw new InvalidParameterError({ parameter: "minimumPayout", reason });
  }
  return {
    allowOpaqueMessage,
    amount: whole,
    fixed: { chainId, currency, recipient, wallet },
    maximumSeconds,
    minimumPayout: minimumPayout === undefined ? 1n : read(minimumPayout, "minimumPayout"),
  };
}

type Report = (code: ClaimMismatchCode, path: string, expected: string, actual: unknown) => void;
type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function onlyEntry(list: unknown, path: string, report: Report): Fields {
  if (Array.isArray(list) && list.length === 1 && isObject(list[0])) return list[0];
  report("CLAIM_FORM", path, "one entry", Array.isArray(list) ? `${list.length} entries` : list);
  return {};
}

function readRequestId(value: unknown, report: Report): Hex {
  const text = String(typeof value === "string" ? value : "");
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase() as Hex;
  report("CLAIM_REQUEST_ID", `${dataPath}.post.body.requestId`, "32 bytes in hexadecimal", value);
  return "0x";
}

/** Reads what the service may choose, within the caller's bounds. */
function readChosen(
  value: Fields,
  { now, terms }: { readonly now: number; readonly terms: ReturnType<typeof readClaimTerms> },
  report: Report,
) {
  const path = `${dataPath}.sign.value`;
  const units = (given: unknown) => {
    const read = typeof given === "string" && /^[1-9]\d{0,77}$/.test(given) ? BigInt(given) : 0n;
    return read > maxUint256 ? 0n : read;
  };
  const amount = terms.amount ?? units(value["amount"]);
  const payout = units(value["payout"]);
  if (amount === 0n) report("CLAIM_AMOUNT", `${path}.amount`, "a positive amount", value["amount"]);
  if (payout < terms.minimumPayout || payout > amount) {
    report("CLAIM_PAYOUT", `${path}.payout`, `${terms.minimumPayout} to ${amount}`, value["payout"]);
  }
  const deadline = Number.isSafeInteger(value["deadline"]) ? Number(value["deadline"]) : 0;
  const seconds = Math.floor(now / 1_000);
  const latest = seconds + terms.maximumSeconds;
  if (deadline <= seconds || deadline > latest) {
    report("CLAIM_DEADLINE", `${path}.deadline`, `${seconds + 1} to ${latest}`, value["deadline"]);
  }
  return { amount: amount.toString(), deadline, payout: payout.toString() };
}

const codes: Readonly<Record<string, ClaimMismatchCode>> = {
  amount: "CLAIM_AMOUNT",
  chainId: "CLAIM_CHAIN",
  currency: "CLAIM_CURRENCY",
  deadline: "CLAIM_DEADLINE",
  message: "CLAIM_REQUEST_ID",
  payout: "CLAIM_PAYOUT",
  recipient: "CLAIM_RECIPIENT",
  requestId: "CLAIM_REQUEST_ID",
  wallet: "CLAIM_WALLET",
};

function codeAt(path: string): ClaimMismatchCode {
  const [, name = ""] =
    /^steps\.0\.items\.0\.data\.(?:sign|sign\.value|sign\.domain|post\.body)\.(\w+)$/.exec(path) ?? [];
  return Object.hasOwn(codes, name) ? (codes[name] ?? "CLAIM_FORM") : "CLAIM_FORM";
}

/** Reports a difference by its path and both values. */
type ReportDifference = (path: string, expected: string, actual: string) => void;

/**
 * Compares a value of the service with the one expected value, whole: a missing, changed or additional field differs. Letter
 * case counts, except in hexadecimal.
 *
 * @param expected Objects, lists, texts and numbers.
 */
function compareFields(expected: unknown, actual: unknown, path: string, report: ReportDifference): void {
  if (!isObject(expected)) {
    if (!isObject(actual) && fold(expected) === fold(actual)) return;
    report(path, show(expected), show(actual));
    return;
  }
  if (!isObject(actual) || Array.isArray(expected) !== Array.isArray(actual)) {
    report(path, show(expected), show(actual));
    return;
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const at = `${path}.${show(name)}`;
    if (Object.hasOwn(expected, name)) {
      compareFields(expected[name], Object.hasOwn(actual, name) ? actual[name] : undefined, at, report);
    } else if (actual[name] !== undefined) report(at, "nothing", show(actual[name]));
  }
}

/** Whether a value has fields. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Numbers equal their decimal text, as JSON has both. */
function fold(value: unknown): string {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return `${typeof value}`;
  return /^0x[0-9a-fA-F]*$/.test(text) ? text.toLowerCase() : text;
}
