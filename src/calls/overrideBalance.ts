import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  keccak256,
  numberToHex,
  parseAbiParameters,
  type StateOverride,
} from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { type ChainClient, callChain } from "./callChain.ts";

/** Balance mapping slots to try: the first sixteen, and those of upgradeable OpenZeppelin tokens. */
const mappingSlots = [
  ...Array.from({ length: 16 }, (_, index) => BigInt(index)),
  51n,
  0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n,
];
const types = /* @__PURE__ */ parseAbiParameters(["address", "uint256"]);

export type OverrideBalanceParameters = {
  /** Smallest units. */
  amount: bigint;
  blockNumber: bigint | undefined;
  owner: Address;
  /** Parameter that named the token, for the error. */
  parameter: string;
  token: Address;
};

/**
 * Builds a state override that gives `owner` a token balance. Tries each known mapping slot until `balanceOf` returns
 * the overridden amount.
 *
 * @throws {InvalidParameterError} When the token keeps its balances in none of the known slots.
 * @throws {ChainReadFailedError} When the chain does not answer.
 */
export async function overrideBalance(
  client: ChainClient,
  { amount, blockNumber, owner, parameter, token }: OverrideBalanceParameters,
): Promise<StateOverride[number]> {
  const data = encodeFunctionData({ abi: erc20Abi, args: [owner], functionName: "balanceOf" });
  for (const mapping of mappingSlots) {
    const slot = keccak256(encodeAbiParameters(types, [owner, mapping]));
    const holding = (held: bigint) => ({
      address: token,
      stateDiff: [{ slot, value: numberToHex(held, { size: 32 }) }],
    });
    const isRead = async (held: bigint) => {
      const read = { blockNumber, data, stateOverride: [holding(held)], to: token };
      const seen = await callChain(client, `looking for the balances of ${token}`, read);
      return !seen.failed && seen.data === numberToHex(held, { size: 32 });
    };
    // A different amount first: the account may hold exactly `amount` already.
    if ((await isRead(amount ^ 1n)) && (await isRead(amount))) return holding(amount);
  }
  throw new InvalidParameterError({ parameter, reason: "no known storage slot holds the token's balances" });
}
