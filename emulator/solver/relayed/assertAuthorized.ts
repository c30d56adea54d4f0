import { type Address, concatHex, isAddressEqual, toFunctionSelector } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { caliburAddress } from "../../chains/setup/placeCalibur.ts";
import type { Context } from "../../context/Context.ts";
import { ExecuteRefusedError } from "../../errors/ExecuteRefusedError.ts";
import { signerOf } from "../../router/authorizationRefusal.ts";
import type { RawCalls } from "./rawCalls.ts";

/** Code of an account that delegates to the batch executor (EIP-7702). */
const delegated = concatHex(["0xef0100", caliburAddress]).toLowerCase();
/** `execute` of the batch executor, which runs only what the account signed. */
const signedBatch = toFunctionSelector(
  "execute((((address,uint256,bytes)[],bool),uint256,bytes32,address,uint256),bytes)",
);

/**
 * Checks that calls are a signed batch of an account that delegates to the batch executor, now or by its own
 * authorizations. Other calls need no signature of the account: a stranger could use up its request. An invalid
 * authorization would be skipped by the chain, and the call would do nothing.
 */
export async function assertAuthorized(
  { authorizationList, data, to }: RawCalls,
  chain: Chain,
  { accounts }: Pick<Context, "accounts">,
): Promise<void> {
  if (isAddressEqual(to, accounts.solver.account.address)) {
    throw new ExecuteRefusedError("`data.to` must not be the solver: it would call itself");
  }
  if (!data.toLowerCase().startsWith(signedBatch)) {
    throw new ExecuteRefusedError("`data.data` must be a signed batch: `execute` of the batch executor");
  }
  const last = authorizationList.at(-1);
  if (last === undefined) {
    if (await isDelegated(chain, to)) return;
    throw new ExecuteRefusedError(
      `\`data.to\` must be an account that delegates to ${caliburAddress}: ${to} needs an \`authorizationList\``,
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
  if (!isAddressEqual(last.address, caliburAddress) || (await codeOf(chain, last.address)) === "0x") {
    throw new ExecuteRefusedError(
      `The authorization delegates to ${last.address}, which is no batch executor`,
    );
  }
}

/** Whether an account delegates to the batch executor. */
export async function isDelegated(chain: Chain, account: Address): Promise<boolean> {
  return (await codeOf(chain, account)) === delegated;
}

async function codeOf({ client }: Chain, address: Address): Promise<string> {
  return ((await client.getCode({ address })) ?? "0x").toLowerCase();
}
