import { type Address, domainSeparator, type Hex, parseAbi } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { answerOf } from "./answerOf.ts";

const domainAbi = parseAbi([
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)",
  "function name() view returns (string)",
  "function version() view returns (string)",
]);

/** EIP-712 domain of a token. */
export type TokenDomain = {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly verifyingContract: Address;
};

/** ERC-5267 bits of name, version, chain and contract, without a salt. */
const usualFields = "0x0f";

/**
 * The EIP-712 domain of a token: from ERC-5267, or built from its name and version and compared to its `DOMAIN_SEPARATOR`.
 *
 * @returns `undefined` for a missing or unusual domain.
 */
export async function tokenDomain(chain: Chain, token: Address): Promise<TokenDomain | undefined> {
  const told = await answerOf(
    chain.client.readContract({ abi: domainAbi, address: token, functionName: "eip712Domain" }),
  );
  const chainId = chain.definition.id;
  if (told !== undefined) {
    const [fields, name, version, toldChainId, verifyingContract] = told;
    const isUsual = fields === usualFields && toldChainId === BigInt(chainId);
    return isUsual ? { chainId, name, verifyingContract, version } : undefined;
  }
  const separator = await answerOf(
    chain.client.readContract({ abi: domainAbi, address: token, functionName: "DOMAIN_SEPARATOR" }),
  );
  if (separator === undefined) return undefined;
  return guessedDomain(chain, token, separator);
}

/** Version of a token without ERC-5267: from its `version()`, else "1". */
async function guessedDomain(chain: Chain, token: Address, separator: Hex): Promise<TokenDomain | undefined> {
  const { client, definition } = chain;
  const name = await answerOf(client.readContract({ abi: domainAbi, address: token, functionName: "name" }));
  const version = await answerOf(
    client.readContract({ abi: domainAbi, address: token, functionName: "version" }),
  );
  if (name === undefined) return undefined;
  const domain = {
    chainId: definition.id,
    name,
    verifyingContract: token,
    version: version ?? "1",
  };
  return domainSeparator({ domain }) === separator ? domain : undefined;
}
