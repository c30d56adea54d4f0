import { isAddress, zeroAddress } from "viem";
import * as z from "zod";

const MAX_UINT128 = 2n ** 128n - 1n;
/** Unit of the receiver's native limits, in wei; limits have 40 bits. */
const NATIVE_UNIT = 10n ** 12n;
const MAX_NATIVE_LIMIT = (2n ** 40n - 2n) * NATIVE_UNIT;
/** One year, in seconds. */
const MAX_ACTIVATION_DELAY = 31_536_000;

const anyAddress = z
  .string()
  .refine((value) => isAddress(value), "is not an address, or its upper and lower case are wrong");
const address = anyAddress.refine((value) => value !== zeroAddress, "is the zero address");
const binding = z.literal([0, 1], "is neither 0 (records name the receiver) nor 1 (records name the caller)");
const amount = z
  .string()
  .regex(/^\d{1,39}$/, {
    abort: true,
    error: "is not a whole number in quotes, in the currency's smallest unit",
  })
  .refine((value) => BigInt(value) <= MAX_UINT128, "is over 2^128 - 1");

const pinned = z
  .strictObject({ solver: address, nativePayee: address, binding, refundPayee: anyAddress })
  .refine((value) => value.refundPayee !== zeroAddress || value.binding === 1, {
    error: "is the zero address, which only records that name the caller allow",
    path: ["refundPayee"],
  });

const solver = z.strictObject({ solver: address, nativePayee: address, usesErc1271: z.boolean() });

const limit = z.strictObject({ currency: anyAddress, minimum: amount, maximum: amount }).check((context) => {
  const { currency, minimum, maximum } = context.value;
  const refuse = (field: "minimum" | "maximum", message: string) =>
    context.issues.push({ code: "custom", input: context.value, message, path: [field] });
  if (BigInt(maximum) === 0n) refuse("maximum", "is zero, which refuses the currency: leave it out instead");
  if (BigInt(minimum) > BigInt(maximum)) refuse("minimum", `is over the maximum, ${maximum}`);
  if (currency !== zeroAddress) return;
  for (const [field, value] of [
    ["minimum", BigInt(minimum)],
    ["maximum", BigInt(maximum)],
  ] as const) {
    if (field === "maximum" && value === MAX_UINT128) continue;
    if (value % NATIVE_UNIT !== 0n) refuse(field, `is not a multiple of ${NATIVE_UNIT} wei`);
    if (value > MAX_NATIVE_LIMIT) refuse(field, `is over ${MAX_NATIVE_LIMIT} wei`);
  }
});

const managed = z.strictObject({
  owner: address,
  binding,
  activationDelay: z
    .int("is not a whole number of seconds")
    .min(0, "is less than no seconds")
    .max(MAX_ACTIVATION_DELAY, `is over ${MAX_ACTIVATION_DELAY} seconds`),
  coSigner: anyAddress,
  isRecipientListOpen: z.boolean(),
  solvers: z
    .array(solver)
    .min(1, "names no solver: nothing would be accepted")
    .refine((list) => areDifferent(list.map((each) => each.solver)), "names a solver twice"),
  limits: z
    .array(limit)
    .min(1, "names no currency: nothing would be accepted")
    .refine((list) => areDifferent(list.map((each) => each.currency)), "names a currency twice"),
});

const order = z.strictObject({
  chainId: z.int("is not a chain id").positive("is not a chain id"),
  solver: address,
  depository: address,
  /** The plan shows it: white space and control characters could imitate its lines. */
  chainName: z.string().regex(/^[\x21-\x7e]+$/, "is empty, or has other than printable characters"),
  refundPayee: address,
});

const schema = z.strictObject({
  ManagedReceiver: z.exactOptional(managed),
  OrderReceiver: z.exactOptional(order),
  PinnedReceiver: z.exactOptional(pinned),
});

/** Parameters by module, as in the files of `ignition/parameters`. Unlisted receivers are not deployed. */
export type DeploymentParameters = z.output<typeof schema>;

/** A contract whose address depends on parameters. */
export type ReceiverName = keyof DeploymentParameters;

/**
 * Validates constructor parameters before any transaction.
 *
 * @returns The parameters, or every mistake by the path of its value.
 */
export function checkParameters(
  value: unknown,
): { readonly parameters: DeploymentParameters } | { readonly mistakes: readonly string[] } {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return { parameters: data };
  return {
    mistakes: error.issues.map(({ path, message }) => `${path.join(".") || "the whole"}: ${message}`),
  };
}

function areDifferent(addresses: readonly string[]): boolean {
  return new Set(addresses.map((each) => each.toLowerCase())).size === addresses.length;
}
