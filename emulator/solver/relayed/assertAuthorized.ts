import { type Address, isAddressEqual } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { ExecuteRefusedError } from "../../errors/ExecuteRefusedError.ts";
import { type RawCalls, signerOf } from "./rawCalls.ts";

/** Code of an account that delegates to a contract (EIP-7702). */
const delegation = "0xef0100";

/**
 * Checks that calls go to an account that delegates to a contract, now or by its own authorizations. An invalid
 * authorization would be skipped by the chain, and the call would do nothing.
 *
 * @throws ExecuteRefusedError
 */
export async function assertAuthorized(
  { authorizationList, to }: RawCalls,
  chain: Chain,
  { accounts }: Pick<Context, "accounts">,
): Promise<void> {
  if (isAddressEqual(to, accounts.solver.account.address)) {
    throw new ExecuteRefusedError("`data.to` must not be the solver: it would call itself");
  }
  const last = authorizationList.at(-1);
  if (last === undefined) {
    if ((await codeOf(chain, to)).startsWith(delegation)) return;
    throw new ExecuteRefusedError(
      `\`data.to\` must be an account that delegates to a contract: ${to} needs an \`authorizationList\``,
    );
  }
  const next = await chain.client.getTransactionCount({ address: to, blockTag: "pending" });
  for (const [index, authorization] of authorizationList.entries()) {
    const { chainId, nonce } = authorization;
    if (chainId !== 0 && chainId !== chain.definition.id) {
      throw new ExecuteRefusedError(
        `The authorization is for chain ${chainId}, and the calls are for chain ${chain.definition.id}`,
      );
    }
    const signer = await signerOf(authorization);
    if (signer === undefined || !isAddressEqual(signer, to)) {
      throw new ExecuteRefusedError(`The authorization is not signed by \`data.to\`, ${to}`);
    }
    if (nonce !== next + index) {
      throw new ExecuteRefusedError(
        `The authorization has nonce ${nonce}, and the account's next nonce is ${next + index}`,
      );
    }
  }
  if ((await codeOf(chain, last.address)) === "0x") {
    throw new ExecuteRefusedError(`The authorization delegates to ${last.address}, which has no code`);
  }
}

async function codeOf({ client }: Chain, address: Address): Promise<string> {
  return ((await client.getCode({ address })) ?? "0x").toLowerCase();
}
