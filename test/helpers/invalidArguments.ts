import { expect } from "chai";
import fc from "fast-check";
import { BaseError } from "../../src/errors/BaseError.ts";
import { InvalidParameterError } from "../../src/errors/InvalidParameterError.ts";
import { isHeading } from "./docsHeadings.ts";

/** Seed of the drawn values; constant by default. */
const seed = Number(process.env["FUZZ_SEED"] ?? 1);
const runs = Number(process.env["FUZZ_RUNS"] ?? 300);

/** Values of every type: with and without a prototype, sparse lists, long numbers, texts that look like hex. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  }),
  fc.constantFrom(
    Symbol("s"),
    () => undefined,
    Number.NaN,
    -0,
    2 ** 53,
    "__proto__",
    "constructor",
    "toString",
  ),
  fc.string({ maxLength: 100, unit: "binary" }),
  fc.stringMatching(/^0x[0-9a-fA-F]{0,140}$/),
  fc.stringMatching(/^-?[0-9]{1,90}(\.[0-9]{1,20})?$/),
);

/** Draws `parameters` with one value replaced, at any depth; unchanged one time in ten. */
export function nearly(parameters: object): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: changedWithin(parameters), weight: 9 },
    { arbitrary: fc.constant(parameters), weight: 1 },
  );
}

function changedWithin(value: object): fc.Arbitrary<unknown> {
  return fc.constantFrom(...Object.keys(value)).chain((key) => {
    const changes = changed((value as Record<string, unknown>)[key]);
    return changes.map((change) => replace(value, key, change));
  });
}

function changed(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === "string") return fc.oneof(anything, bent(value));
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return anything;
  return fc.oneof({ arbitrary: changedWithin(value), weight: 8 }, { arbitrary: anything, weight: 1 });
}

function replace(value: object, key: string, item: unknown): unknown {
  return Array.isArray(value) ? value.with(Number(key), item) : { ...value, [key]: item };
}

/** A text with one character replaced, cut short, or extended. */
function bent(text: string): fc.Arbitrary<string> {
  const at = fc.nat(text.length);
  const character = fc.constantFrom("0", "1", "f", "g", "F", " ", "\n", "-", ".", "é", "\u0000");
  return fc.oneof(
    fc.tuple(at, character).map(([index, other]) => text.slice(0, index) + other + text.slice(index + 1)),
    at.map((index) => text.slice(0, index)),
    character.map((other) => text + other),
  );
}

/** Calls a function with drawn arguments. It may return or throw a `BaseError` with a documented heading and a short message. */
async function expectTypedFailures<Value>(
  values: fc.Arbitrary<Value>,
  act: (value: never) => unknown,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const error = await Promise.resolve()
        .then(() => act(value as never))
        .then(
          () => undefined,
          (reason: unknown) => reason,
        );
      if (error === undefined) return;
      expect(error).to.be.instanceOf(BaseError);
      expect((error as BaseError).docsUrl).to.satisfy(isHeading);
      if (error instanceof InvalidParameterError) expect(error.parameter).to.match(/^[a-z]\w*/i);
      expect((error as BaseError).message)
        .to.be.a("string")
        .with.length.lessThan(2_000);
    }),
    { numRuns: runs, seed },
  );
}

/** Valid parameters of a function, and the function. */
type TestedFunction = readonly [parameters: object, act: (parameters: never) => unknown];

/** Files with tables for {@link describeInvalidArguments}, from the folder of unit tests. */
export const invalidArgumentTables = "*/invalidArguments.test.ts";

/** Tests each function with one part of its parameters replaced, and with arbitrary values for all of them. */
export function describeInvalidArguments(functions: Readonly<Record<string, TestedFunction>>): void {
  for (const [name, [parameters, act]] of Object.entries(functions)) {
    describe(`${name}, with invalid arguments`, () => {
      it("throws typed errors only", async () => {
        const others = Object.fromEntries(Object.keys(parameters).map((key) => [key, anything]));
        const given = fc.oneof(
          { arbitrary: nearly(parameters), weight: 3 },
          { arbitrary: fc.record(others), weight: 1 },
        );
        await expectTypedFailures(given, act);
      }).timeout(Math.max(20_000, runs * 20));
    });
  }
}
