import type { QuoteMismatchCode } from "../../errors/QuoteMismatchError.ts";

/** A requirement in words, where no single value is expected or the actual one is not allowed. Equals no value. */
export class Unmet {
  declare readonly text: string;
  /** Default: the code of the field's path. */
  declare readonly code: QuoteMismatchCode | undefined;
  /** Default: the actual value. */
  declare readonly actual: string | undefined;

  constructor(text: string, code?: QuoteMismatchCode, actual?: string) {
    this.text = text;
    this.code = code;
    this.actual = actual;
  }
}

/** An expected value whose difference has another code than its path. */
export class Coded {
  declare readonly value: unknown;
  declare readonly code: QuoteMismatchCode;

  constructor(value: unknown, code: QuoteMismatchCode) {
    this.value = value;
    this.code = code;
  }
}

/** A field that the solver may choose within a bound: its value, or the bound in words. */
export function choose<T>(value: T, isAllowed: boolean, bound: string, code?: QuoteMismatchCode): T | Unmet {
  return isAllowed ? value : new Unmet(bound, code);
}

/** A condition without a field of its own. */
export function mustHold(isMet: boolean, text: string, code: QuoteMismatchCode, actual: string) {
  return isMet ? [] : [new Unmet(text, code, actual)];
}

/** The allowed value that equals the actual one; else the first, which then differs. Undefined without any. */
export function pick<T extends string>(allowed: readonly T[], actual: unknown): T | undefined {
  return allowed.find((each) => isSame(each, actual)) ?? allowed[0];
}

/** Whether two values are equal, without regard to letter case of hexadecimal and the type of numbers. */
export function isSame(one: unknown, other: unknown): boolean {
  return normalizeForComparison(one) === normalizeForComparison(other);
}

/** Converts a value to text for comparison. Lower-cases hexadecimal; addresses of other VMs keep their letter case. */
export function normalizeForComparison(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /^0x[0-9a-fA-F]*$/.test(text) ? text.toLowerCase() : text;
}

/**
 * Encodes a tree for comparison as a whole: equal trees have equal texts. Fields that are undefined do not count. An
 * `Unmet` is encoded without quotes, as no value of a response is.
 */
export function encodeWhole(tree: unknown): string {
  if (tree instanceof Unmet) return "unmet";
  if (tree instanceof Coded) return encodeWhole(tree.value);
  if (Array.isArray(tree)) return `[${tree.map(encodeWhole).join()}]`;
  if (typeof tree !== "object" || tree === null) return JSON.stringify(normalizeForComparison(tree));
  const fields = Object.entries(tree).filter(([, value]) => value !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${encodeWhole(value)}`).join()}}`;
}

/** The part of a response with the fields of the expected tree. Other fields are neither signed nor sent. */
export function partLike(expected: unknown, actual: unknown): unknown {
  const tree = expected instanceof Coded ? expected.value : expected;
  if (Array.isArray(tree) && Array.isArray(actual)) {
    return actual.map((each, index) => partLike(tree[index], each));
  }
  const isTree =
    typeof tree === "object" && tree !== null && !Array.isArray(tree) && !(tree instanceof Unmet);
  if (!isTree || typeof actual !== "object" || actual === null) return actual;
  const fields = actual as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [
      name,
      Object.hasOwn(fields, name) ? partLike(value, fields[name]) : undefined,
    ]),
  );
}

/** The expected tree as plain JSON: what is signed or sent. */
export function plainOf<T>(tree: unknown): T {
  return JSON.parse(
    JSON.stringify(tree, (_, value: unknown) => {
      if (value instanceof Coded) return value.value;
      return typeof value === "bigint" ? value.toString() : value;
    }),
  ) as T;
}
