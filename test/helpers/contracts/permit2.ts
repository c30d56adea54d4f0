import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { toBeHex } from "ethers";

/** Permit2's address on every chain with its standard deployment. */
export const PERMIT2_ADDRESS = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

const DEPLOYMENT = "@uniswap/v4-periphery/lib/permit2/test/utils/DeployPermit2.sol";

/** Position in the code of the chain id for which it caches the domain separator. */
const DEPLOYED_ON = /(?<=467f)[0-9a-f]{64}(?=0361[0-9a-f]{4}577f)/g;

/**
 * Sets the real Permit2's code at its address. The published code was deployed on a chain with the local chain's id,
 * but at another address, so its cached domain separator is wrong here. Its chain id is therefore set to mainnet's,
 * as in production; on every other chain the code computes its separator.
 */
export async function placePermit2(ethers: HardhatEthers) {
  const source = readFileSync(createRequire(import.meta.url).resolve(DEPLOYMENT), "utf8");
  const published = /hex"([0-9a-f]+)"/.exec(source)?.[1] ?? "";
  if (published.match(DEPLOYED_ON)?.length !== 1) {
    throw new Error("The published code of Permit2 is not what it was.");
  }
  const code = published.replace(DEPLOYED_ON, toBeHex(1, 32).slice(2));
  await ethers.provider.send("hardhat_setCode", [PERMIT2_ADDRESS, `0x${code}`]);
  return ethers.getContractAt(
    [
      "function DOMAIN_SEPARATOR() view returns (bytes32)",
      "function nonceBitmap(address owner, uint256 word) view returns (uint256)",
      "function invalidateUnorderedNonces(uint256 word, uint256 mask)",
      "function permitWitnessTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes32 witness, string witnessTypeString, bytes signature)",
      "error InvalidNonce()",
      "error InvalidSigner()",
      "error SignatureExpired(uint256 signatureDeadline)",
    ],
    PERMIT2_ADDRESS,
  );
}
