import {
  type Account,
  type Chain,
  BaseError as ChainError,
  type Hex,
  type PublicClient,
  type Transport,
  type WalletClient,
} from "viem";
import { BaseError } from "../errors/BaseError.ts";
import { ChainReadFailedError } from "../errors/ChainReadFailedError.ts";
import { redactUrls } from "../errors/redactUrls.ts";
import { refused } from "./checkAccounts.ts";
import type { ReadArtifact } from "./contracts.ts";
import type { DeploymentParameters } from "./parameters.ts";
import type { DeploymentPlan } from "./planDeployment.ts";
import { type VerifiedDeployment, verifyDeployment } from "./verifyDeployment.ts";

/** How {@link sendDeployment} sends, and what it reports. */
export type SendDeploymentParameters = {
  readonly parameters: DeploymentParameters;
  readonly readArtifact: ReadArtifact;
  readonly wallet: WalletClient<Transport, Chain | undefined, Account>;
  /** Called with the transaction's hash before its receipt exists. */
  readonly onSent?: ((hash: Hex) => void) | undefined;
  /** Milliseconds to wait for the receipt. @default 180000 */
  readonly timeoutMs?: number | undefined;
};

/** A deployment that stands. */
export type SentDeployment = {
  readonly hash: Hex;
  /** Whether this transaction created the contract: another sender may have been faster. */
  readonly isNew: boolean;
  readonly verified: VerifiedDeployment;
};

const defaultTimeoutMs = 180_000;
const mostTries = 10;
const retryMs = 1_000;

/**
 * Sends a planned deployment once, waits for its receipt, and verifies the code.
 *
 * @throws BaseError with the code `DEPLOYMENT_REFUSED` before anything is sent, `DEPLOYMENT_FAILED` afterwards;
 * ChainReadFailedError
 */
export async function sendDeployment(
  client: PublicClient,
  plan: DeploymentPlan,
  { onSent, parameters, readArtifact, timeoutMs = defaultTimeoutMs, wallet }: SendDeploymentParameters,
): Promise<SentDeployment> {
  const { address, chainId, contract, transaction } = plan;
  if (transaction === undefined) throw refused(`${contract} stands at ${address} already.`);
  await asRead("reading the sender", () => checkSender(client, wallet.account, transaction));
  const { data, gas, to } = transaction;
  let hash: Hex;
  try {
    // A quarter more: estimates of later blocks differ a little.
    const request = { account: wallet.account, chain: wallet.chain ?? null, data, gas: gas + gas / 4n, to };
    hash = await wallet.sendTransaction(request);
  } catch (cause) {
    throw failed("The node did not take the transaction", cause);
  }
  onSent?.(hash);
  const receipt = await client.waitForTransactionReceipt({ hash, timeout: timeoutMs }).catch((cause) => {
    throw failed(`The transaction ${hash} has no receipt yet; run the same command again later`, cause);
  });
  const isNew = receipt.status === "success";
  const fromBlock = isNew ? receipt.blockNumber : undefined;
  const place = { address, chainId, contract, fromBlock };
  const verify = () => verifyDeployment(client, { ...place, parameters, readArtifact });
  let verified = await verify();
  // Behind one URL, the next node may lack the newest block.
  for (let tries = 1; isNew && verified.contract === undefined && tries < mostTries; tries++) {
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    verified = await verify();
  }
  if (verified.contract === undefined && !isNew) {
    throw new BaseError(
      `The transaction ${receipt.transactionHash} reverted, and ${contract} does not stand.`,
      {
        code: "DEPLOYMENT_FAILED",
      },
    );
  }
  return { hash: receipt.transactionHash, isNew, verified };
}

async function checkSender(
  client: PublicClient,
  { address }: Account,
  { gas, gasPrice }: NonNullable<DeploymentPlan["transaction"]>,
): Promise<void> {
  const [balance, latest, pending] = await Promise.all([
    client.getBalance({ address }),
    client.getTransactionCount({ address, blockTag: "latest" }),
    client.getTransactionCount({ address, blockTag: "pending" }),
  ]);
  const cost = gas * gasPrice;
  if (balance < cost)
    throw refused(`${address} has ${balance} wei, and the deployment costs about ${cost} wei.`);
  // One of them may be this deployment, sent by an earlier run.
  if (pending > latest) {
    throw refused(`${address} has ${pending - latest} transactions that are not mined yet: wait for them.`);
  }
}

async function asRead<Result>(operation: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause;
    throw new ChainReadFailedError({ cause, operation });
  }
}

/** Keeps the node's text only: messages of viem contain the node's URL. */
function failed(sentence: string, cause: unknown): BaseError {
  const details = cause instanceof ChainError ? redactUrls(cause.details ?? cause.shortMessage) : undefined;
  return new BaseError(`${sentence}.`, { code: "DEPLOYMENT_FAILED", details });
}
