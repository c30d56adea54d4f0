import { type Address, type Hex, parseAbi } from "viem";
import { recoverSigner } from "../../../src/records/recoverSigner.ts";
import type { Chain } from "../../chains/Chain.ts";
import { hasCode } from "../../chains/hasCode.ts";
import { answerOf } from "../../quote/permits/answerOf.ts";
import type { PermitTerms } from "../../requests/PermitTerms.ts";

const walletAbi = parseAbi([
  "function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)",
]);
/** What ERC-1271 has a contract answer that stands by a signature. */
const isValid = "0x1626ba7e";

/**
 * Whether the user signed what was offered. Permit2 asks an account that has code (ERC-1271); tokens recover the signer of
 * every signature.
 */
export async function isSignedByUser(
  { digest, way }: Pick<PermitTerms, "digest" | "way">,
  user: Address,
  signature: Hex,
  chain: Chain,
): Promise<boolean> {
  if (way === "permit2" && (await hasCode(chain, user))) {
    const answer = chain.client.readContract({
      abi: walletAbi,
      address: user,
      args: [digest, signature],
      functionName: "isValidSignature",
    });
    return (await answerOf(answer)) === isValid;
  }
  const signer = await recoverSigner({ digest, signature }).catch(() => undefined);
  return signer?.toLowerCase() === user.toLowerCase();
}
