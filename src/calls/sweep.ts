import type { Address } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAccount } from "../internal/readAddress.ts";
import { readList } from "../internal/readParts.ts";
import type { Call } from "./Call.ts";
import { type RouterVersion, readRouterVersion, withMetadata } from "./RouterVersion.ts";
import { encodeOverload, serviceFunctions } from "./serviceFunctions.ts";

/** Zero means the whole balance in the router's functions. */
const everything = 0n;

/** Router and recipient of a sweep. */
export type SweepParameters = {
  /** The router's address on the destination chain (`contracts.v3.erc20Router` of the chain record for v3). */
  router: Address;
  /** @default "v3" */
  routerVersion?: RouterVersion | undefined;
  /** Receives the balances. */
  recipient: Address;
};

export type SweepErc20sParameters = SweepParameters & {
  /** Distinct tokens; each is swept whole. */
  tokens: readonly Address[];
};

/** A call to the router. */
export type SweepReturnType = Call;

/**
 * Composes a call that moves the router's whole balances of some tokens to one recipient (specification, call-execution
 * rule 4). Put it last: anyone can take tokens that stay on the router.
 *
 * @returns A call to the router.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { sweepErc20s } from "waybill";
 *
 * const call = sweepErc20s({
 *   recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
 *   router: "0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f",
 *   tokens: ["0x5FbDB2315678afecb367f032d93F642f64180aa3"],
 * });
 */
export function sweepErc20s(parameters: SweepErc20sParameters): SweepReturnType {
  const routerVersion = readRouterVersion(parameters.routerVersion);
  const recipient = readAccount(parameters.recipient, "recipient");
  const router = readAccount(parameters.router, "router");
  const tokens = readList(parameters.tokens, "tokens", readAccount);
  if (tokens.length === 0) throw new InvalidParameterError({ parameter: "tokens", reason: "it is empty" });
  const args = [tokens, tokens.map(() => recipient), tokens.map(() => everything)];
  const data = encodeOverload(serviceFunctions, "cleanupErc20s", withMetadata(args, routerVersion));
  return { data, to: router, value: 0n };
}

/**
 * Composes a call that moves the router's whole native balance to one recipient (specification, call-execution rule 4).
 *
 * @returns A call of the router itself.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { sweepNative } from "waybill";
 *
 * const call = sweepNative({
 *   recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
 *   router: "0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f",
 * });
 */
export function sweepNative(parameters: SweepParameters): SweepReturnType {
  const routerVersion = readRouterVersion(parameters.routerVersion);
  const recipient = readAccount(parameters.recipient, "recipient");
  const router = readAccount(parameters.router, "router");
  const args = withMetadata([everything, recipient], routerVersion);
  const data = encodeOverload(serviceFunctions, "cleanupNative", args);
  return { data, to: router, value: 0n };
}
