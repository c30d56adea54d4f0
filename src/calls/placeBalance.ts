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

/** Slots that tokens keep their balances in: the first ones, and the place of upgradeable OpenZeppelin tokens. */
const mappingSlots = [
  ...Array.from({ length: 16 }, (_, index) => BigInt(index)),
  51n,
  0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n,
];
const types = /* @__PURE__ */ parseAbiParameters(["address", "uint256"]);

/** Parameters of {@link placeBalance}. */
export type PlaceBalanceParameters = {
  amount: bigint;
  blockNumber: bigint | undefined;
  owner: Address;
  /** Where the token was named. */
  parameter: string;
  token: Address;
};

/**
 * Finds where a token keeps an account's balance by trying: the right place is the one that shows.
 *
 * @returns The override that gives `owner` the amount.
 * @throws {InvalidParameterError} When no known place shows.
 * @throws {ChainReadFailedError} When the chain does not answer.
 *
 * @example
 * await placeBalance(client, { amount: 7n, blockNumber: undefined, owner, parameter: "token", token });
 */
export async function placeBalance(
  client: ChainClient,
  { amount, blockNumber, owner, parameter, token }: PlaceBalanceParameters,
): Promise<StateOverride[number]> {
  const data = encodeFunctionData({ abi: erc20Abi, args: [owner], functionName: "balanceOf" });
  for (const mapping of mappingSlots) {
    const slot = keccak256(encodeAbiParameters(types, [owner, mapping]));
    const holding = (held: bigint) => ({
      address: token,
      stateDiff: [{ slot, value: numberToHex(held, { size: 32 }) }],
    });
    const shows = async (held: bigint) => {
      const read = { blockNumber, data, stateOverride: [holding(held)], to: token };
      const seen = await callChain(client, `looking for the balances of ${token}`, read);
      return !seen.failed && seen.data === numberToHex(held, { size: 32 });
    };
    // Another amount than the one that may be there, so that the place shows.
    if ((await shows(amount ^ 1n)) && (await shows(amount))) return holding(amount);
  }
  throw new InvalidParameterError({ parameter, reason: "where the token keeps its balances is not found" });
}
