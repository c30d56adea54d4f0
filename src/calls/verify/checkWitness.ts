import { type Hex, hashStruct, type TypedDataParameter } from "viem";
import { checkRouted } from "./checkRouted.ts";
import { expectEqual, expectOneOf, type Payment, type QuoteCheck, report } from "./QuoteCheck.ts";
import type { RoutedCall } from "./Routed.ts";
import type { TrustedRouter } from "./TrustRoots.ts";
import { fitsType, witnessTypes } from "./typedDataForms.ts";

type Witness = {
  readonly relayer: string;
  readonly refundTo: string;
  readonly nftRecipient: string;
  readonly metadata?: Hex;
  readonly call3Values: readonly (Omit<RoutedCall, "value"> & { readonly value: string | number })[];
};

/**
 * Checks the witness of a signature for an approval proxy: the router's calls, and no others.
 *
 * @param parameters `hash` is the signed witness hash, if the signature contains only the hash.
 */
export function checkWitness(
  check: QuoteCheck,
  parameters: {
    readonly by: TrustedRouter | undefined;
    readonly witness: unknown;
    readonly hash?: unknown;
  },
  path: string,
): Payment["kind"] {
  const { by, hash, witness } = parameters;
  const types = witnessTypes[by?.version ?? "v3"];
  if (!fitsType(witness, "RelayerWitness", types)) {
    report(check, "QUOTE_SIGNATURE", path, "the calls that the signature is for", witness ?? "nothing");
    return "own";
  }
  const { call3Values, metadata = "0x", nftRecipient, refundTo, relayer } = witness as Witness;
  if (hash !== undefined) {
    const data = witness as Record<string, unknown>;
    const own = hashStruct({
      data,
      primaryType: "RelayerWitness",
      types: types as Record<string, TypedDataParameter[]>,
    });
    expectEqual(check, "QUOTE_SIGNATURE", path, own, hash);
  }
  expectOneOf(check, "QUOTE_SOLVER", `${path}.relayer`, check.solvers, relayer);
  const calls = call3Values.map(({ value, ...call }) => ({ ...call, value: BigInt(value) }));
  return checkRouted(check, { by, calls, isOpen: false, nftRecipient, refundTo, tag: metadata }, path);
}
