import type { EIP1193Provider } from "@nomicfoundation/ignition-core";
import { type Account, createWalletClient, type Hex, type PublicClient } from "viem";
import type { DeploymentParameters } from "../../src/deployment/parameters.ts";
import { BaseError } from "../../src/errors/BaseError.ts";
import { assertChain, chainOf, nodeTransport } from "../settings/openNode.ts";
import { refused } from "./describeArguments.ts";
import { costOf, type DeploymentPlan } from "./planDeployment.ts";
import { modules, runIgnition } from "./runIgnition.ts";
import { type VerifiedDeployment, verifyDeployment } from "./verifyDeployment.ts";

/** Who pays for a deployment, and by which node. */
export type DeployModuleParameters = {
  readonly account: Account;
  /** Called with the transaction's hash before its receipt exists. */
  readonly onSent: (hash: Hex) => void;
  readonly parameters: DeploymentParameters;
  /** Stops before the transaction is sent. */
  readonly signal: AbortSignal;
  readonly url: string;
};

/** A deployment that stands. */
export type DeployedModule = {
  readonly hash: Hex;
  /** Whether this transaction created the contract: another sender may have been faster. */
  readonly isNew: boolean;
  readonly verified: VerifiedDeployment;
};

/**
 * Deploys a planned contract by its Ignition module, and compares what stands. Keeps no journal: the chain says what is missing.
 *
 * @throws BaseError with the code `CHAIN_MISMATCH` or `DEPLOYMENT_REFUSED` before anything is sent, `DEPLOYMENT_FAILED`
 * afterwards.
 */
export async function deployModule(
  client: PublicClient,
  plan: DeploymentPlan,
  { onSent, parameters, signal, ...payer }: DeployModuleParameters,
): Promise<DeployedModule> {
  const { address, chainId, contract } = plan;
  // The plan may be old: a confirmation takes its time.
  await assertChain(client, chainId);
  if ((await client.getCode({ address })) !== undefined) {
    throw refused(`${contract} stands at ${address} since the plan: run the command again to compare it.`);
  }
  let hash: Hex | undefined;
  const provider = await payingProvider(client, plan, {
    ...payer,
    onSent: (sent) => {
      hash = sent;
      onSent(sent);
    },
  });
  signal.throwIfAborted();
  const failure = await runIgnition(modules[contract], provider, [payer.account.address], parameters);
  if (hash === undefined) throw failure ?? refused(`Ignition sent nothing for ${contract}.`);
  const verified = await verifyDeployment(client, { address, chainId, contract, parameters });
  if (verified.contract === undefined) {
    throw new BaseError(`The transaction ${hash} was sent, and ${contract} does not stand yet.`, {
      code: "DEPLOYMENT_FAILED",
      details: `${failure?.details ?? failure?.shortMessage ?? ""} Run the same command again: it sends nothing while a transaction is on its way.`,
    });
  }
  return { hash, isNew: failure === undefined, verified };
}

/**
 * The node, with an account that signs the plan's own transaction once: Ignition finds out when, the plan says what and for how
 * much. The nonce is that of the account's next block, so that of two runs with one key at most one is mined.
 *
 * @throws BaseError with the code `DEPLOYMENT_REFUSED` for an account with too little money.
 */
async function payingProvider(
  client: PublicClient,
  { chainId, transaction }: DeploymentPlan,
  { account, onSent, url }: Pick<DeployModuleParameters, "account" | "onSent" | "url">,
): Promise<EIP1193Provider> {
  if (transaction === undefined) throw new Error("a plan without a transaction");
  const { data, fees, gasLimit, to } = transaction;
  const { address } = account;
  const [balance, nonce] = await Promise.all([
    client.getBalance({ address }),
    client.getTransactionCount({ address, blockTag: "latest" }),
  ]);
  const { most, wei } = costOf(transaction);
  if (balance < most) {
    throw refused(
      `${address} has ${balance} wei, and the deployment costs about ${wei} wei, at most ${most} wei.`,
    );
  }
  const wallet = createWalletClient({
    account,
    chain: chainOf(chainId),
    transport: nodeTransport(url, { retryCount: 0 }),
  });
  return {
    request: async ({ method, params }) => {
      if (method !== "eth_sendTransaction") return client.request({ method, params } as never);
      const [asked] = params as [{ data: Hex; nonce: Hex; to: string }];
      if (asked.data !== data || asked.to.toLowerCase() !== to.toLowerCase()) {
        throw refused("Ignition asks for another transaction than the plan's.");
      }
      if (Number(asked.nonce) !== nonce) {
        throw refused(`${address} sent another transaction meanwhile: run the command again.`);
      }
      const hash = await wallet.sendTransaction({ account, data, gas: gasLimit, nonce, to, ...fees });
      onSent(hash);
      return hash;
    },
  };
}
