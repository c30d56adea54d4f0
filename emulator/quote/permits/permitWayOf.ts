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
/** Type hash of ERC-2612. Older permits, such as Dai's, sign another type. */
const permitTypehash = "0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9";

/**
 * Chooses how a token is paid by signature: ERC-3009 if the token supports it, else ERC-2612, else Permit2, which works for
 * every token. A token without a known signing domain is paid by Permit2.
 *
 * @returns `undefined` for the native currency, which no contract can pull.
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
