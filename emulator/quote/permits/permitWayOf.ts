import { type Address, parseAbi, zeroAddress, zeroHash } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { PermitWay } from "../../requests/PermitTerms.ts";
import { answerOf } from "./answerOf.ts";
import { tokenDomain } from "./tokenDomain.ts";

const probeAbi = parseAbi([
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function nonces(address owner) view returns (uint256)",
  "function PERMIT_TYPEHASH() view returns (bytes32)",
]);
/** Of ERC-2612. Tokens that had permits before it, such as Dai, sign something else. */
const permitTypehash = "0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9";

/**
 * How a token is paid by signature: by ERC-3009 where it has authorizations, else by ERC-2612 where it has permits, else by
 * Permit2, which takes every token. A token whose signing domain cannot be told has neither.
 *
 * @returns `undefined` for the native currency: nothing pulls it.
 */
export async function permitWayOf(chain: Chain, token: Address): Promise<PermitWay | undefined> {
  if (token === zeroAddress) return undefined;
  if ((await tokenDomain(chain, token)) === undefined) return "permit2";
  const { client } = chain;
  const probed = { abi: probeAbi, address: token } as const;
  const authorization = client.readContract({
    ...probed,
    args: [zeroAddress, zeroHash],
    functionName: "authorizationState",
  });
  if ((await answerOf(authorization)) !== undefined) return "eip3009";
  const nonce = client.readContract({ ...probed, args: [zeroAddress], functionName: "nonces" });
  if ((await answerOf(nonce)) === undefined) return "permit2";
  const typehash = client.readContract({ ...probed, functionName: "PERMIT_TYPEHASH" });
  return ((await answerOf(typehash)) ?? permitTypehash) === permitTypehash ? "permit" : "permit2";
}
