import { type Address, domainSeparator, type Hex, parseAbi, zeroAddress, zeroHash } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { PermitWay } from "../../requests/Intent.ts";
import { isRevert } from "../../router/revertReason.ts";

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
 * The EIP-712 domain of a token: from ERC-5267, or built from its name and version and compared to its
 * `DOMAIN_SEPARATOR`.
 */
export async function tokenDomain(chain: Chain, token: Address): Promise<TokenDomain | undefined> {
  const told = await readAnswer(
    chain.client.readContract({ abi: domainAbi, address: token, functionName: "eip712Domain" }),
  );
  const chainId = chain.definition.id;
  if (told !== undefined) {
    const [fields, name, version, toldChainId, verifyingContract] = told;
    const isUsual = fields === usualFields && toldChainId === BigInt(chainId);
    return isUsual ? { chainId, name, verifyingContract, version } : undefined;
  }
  const separator = await readAnswer(
    chain.client.readContract({ abi: domainAbi, address: token, functionName: "DOMAIN_SEPARATOR" }),
  );
  if (separator === undefined) return undefined;
  return guessedDomain(chain, token, separator);
}

/** Version of a token without ERC-5267: from its `version()`, else "1". */
async function guessedDomain(chain: Chain, token: Address, separator: Hex): Promise<TokenDomain | undefined> {
  const { client, definition } = chain;
  const name = await readAnswer(
    client.readContract({ abi: domainAbi, address: token, functionName: "name" }),
  );
  const version = await readAnswer(
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

/** Awaits a contract's answer; `undefined` if it lacks the function. */
export async function readAnswer<Answer>(read: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isRevert(error) || hasNoShape(error)) return undefined;
    throw error;
  }
}

/** A fallback function may answer with no data or with another shape. */
function hasNoShape(error: unknown): boolean {
  return error instanceof Error && /returned no data|out of bounds|does not match/i.test(error.message);
}

const probeAbi = parseAbi([
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function nonces(address owner) view returns (uint256)",
  "function PERMIT_TYPEHASH() view returns (bytes32)",
]);
/** Type hash of ERC-2612. Older permits, such as Dai's, sign another type. */
const permitTypehash = "0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9";

/**
 * Chooses how a token is paid by signature: ERC-3009 if the token supports it, else ERC-2612, else Permit2, which works
 * for every token. A token without a known signing domain is paid by Permit2.
 */
export async function choosePermitWay(chain: Chain, token: Address): Promise<PermitWay | undefined> {
  if (token === zeroAddress) return undefined;
  if ((await tokenDomain(chain, token)) === undefined) return "permit2";
  const { client } = chain;
  const probed = { abi: probeAbi, address: token } as const;
  const authorization = client.readContract({
    ...probed,
    args: [zeroAddress, zeroHash],
    functionName: "authorizationState",
  });
  if ((await readAnswer(authorization)) !== undefined) return "eip3009";
  const nonce = client.readContract({ ...probed, args: [zeroAddress], functionName: "nonces" });
  if ((await readAnswer(nonce)) === undefined) return "permit2";
  const typehash = client.readContract({ ...probed, functionName: "PERMIT_TYPEHASH" });
  return ((await readAnswer(typehash)) ?? permitTypehash) === permitTypehash ? "permit" : "permit2";
}
