import type { Address, SignedAuthorization } from "viem";
import { recoverAuthorizationAddress } from "viem/utils";
import type { FailReason } from "../../src/schema/request/failReason.ts";
import type { Chain } from "../chains/Chain.ts";
import type { Intent, IntentCall } from "../requests/Intent.ts";

/** Half the order of secp256k1: EIP-7702 skips authorizations whose `s` is above it. */
const mostS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** The account that signed an EIP-7702 authorization; `undefined` for a signature that the chain would skip. */
export async function signerOf(authorization: SignedAuthorization): Promise<Address | undefined> {
  if (BigInt(authorization.s ?? 0) > mostS) return undefined;
  return recoverAuthorizationAddress({ authorization }).catch(() => undefined);
}

/** Why a chain would skip an authorization, or whom it would not serve. */
type Refusal = { readonly details: string; readonly failReason: FailReason };

type Authorized = Pick<Intent, "authorizationList" | "recipient" | "user"> & {
  readonly txs: readonly Pick<IntentCall, "to">[];
};

/**
 * Checks the authorizations of a fill on the chain's present state. The chain skips an invalid one in silence, and the
 * calls would then reach an account without code: they would succeed and do nothing.
 */
export async function authorizationRefusal(
  { authorizationList = [], recipient, txs, user }: Authorized,
  { client, definition }: Chain,
): Promise<Refusal | undefined> {
  const concerned = new Set([user, recipient, ...txs.map(({ to }) => to)].map((each) => each.toLowerCase()));
  const used = new Map<string, number>();
  for (const authorization of authorizationList) {
    const { chainId, nonce } = authorization;
    if (chainId !== 0 && chainId !== definition.id) {
      const details = `An authorization is for chain ${chainId}, and the calls are on chain ${definition.id}`;
      return { details, failReason: "INVALID_SIGNER" };
    }
    const signer = await signerOf(authorization);
    if (signer === undefined) {
      return { details: "An authorization's signature is invalid", failReason: "INVALID_SIGNATURE" };
    }
    const account = signer.toLowerCase();
    if (!concerned.has(account)) {
      const details = `An authorization is signed by ${signer}, which is neither called nor user or recipient`;
      return { details, failReason: "INVALID_SIGNER" };
    }
    const code = ((await client.getCode({ address: signer })) ?? "0x").toLowerCase();
    if (code !== "0x" && !code.startsWith("0xef0100")) {
      return { details: `${signer} is a contract, which cannot delegate`, failReason: "INVALID_SIGNER" };
    }
    const earlier = used.get(account) ?? 0;
    used.set(account, earlier + 1);
    const next = (await client.getTransactionCount({ address: signer })) + earlier;
    if (nonce !== next) {
      const details = `An authorization has nonce ${nonce}, and the next nonce of ${signer} is ${next}`;
      return { details, failReason: "INVALID_NONCE" };
    }
  }
  return undefined;
}
