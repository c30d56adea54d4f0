import {
  type Account,
  type Chain,
  BaseError as ChainError,
  defineChain,
  type Hex,
  keccak256,
  type PublicClient,
  type Transport,
  type WalletClient,
} from "viem";
import type { ReadArtifact } from "../../src/deployment/contracts.ts";
import type { DeploymentParameters } from "../../src/deployment/parameters.ts";
import { BaseError } from "../../src/errors/BaseError.ts";
import { ChainReadFailedError } from "../../src/errors/ChainReadFailedError.ts";
import { redactUrls } from "../../src/errors/redactUrls.ts";
import { assertChain } from "./assertChain.ts";
import { refused } from "./checkAccounts.ts";
import { costOf, isOtherContract } from "./describePlan.ts";
import type { DeploymentPlan } from "./planDeployment.ts";
import { type VerifiedDeployment, verifyDeployment } from "./verifyDeployment.ts";

/** How {@link sendDeployment} sends, and what it reports. */
export type SendDeploymentParameters = {
  readonly parameters: DeploymentParameters;
  readonly readArtifact: ReadArtifact;
  readonly wallet: WalletClient<Transport, Chain | undefined, Account>;
  /** Called with the transaction's hash before its receipt exists. */
  readonly onSent?: ((hash: Hex) => void) | undefined;
  /** Stops before the transaction is sent, never between its broadcast and its outcome. */
  readonly signal?: AbortSignal | undefined;
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
 * The nonce is that of the account's next block, so that of two runs with one key at most one is mined.
 *
 * @throws BaseError with the code `CHAIN_MISMATCH` or `DEPLOYMENT_REFUSED` before anything is sent, `DEPLOYMENT_FAILED`
 * afterwards; the reason of `signal`; ChainReadFailedError
 */
export async function sendDeployment(
  client: PublicClient,
  plan: DeploymentPlan,
  {
    onSent,
    parameters,
    readArtifact,
    signal,
    timeoutMs = defaultTimeoutMs,
    wallet,
  }: SendDeploymentParameters,
): Promise<SentDeployment> {
  const { address, chainId, contract, transaction } = plan;
  if (transaction === undefined) throw refused(`${contract} stands at ${address} already.`);
  // The plan may be old: a confirmation takes its time.
  await assertChain(client, chainId);
  const nonce = await asRead("reading the sender", async () => {
    if ((await client.getCode({ address })) !== undefined) {
      throw refused(`${contract} stands at ${address} since the plan: run the command again to compare it.`);
    }
    return checkSender(client, wallet.account, transaction);
  });
  signal?.throwIfAborted();
  const hash = await broadcast(client, wallet, { nonce, transaction }, chainId);
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
  for (let tries = 1; isNew && isOtherContract(verified) && tries < mostTries; tries++) {
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    verified = await verify();
  }
  if (verified.contract === undefined) {
    const outcome = isNew ? "was mined" : "reverted";
    const cause = isNew ? " It was replaced, or its block was: run the same command again." : "";
    throw new BaseError(
      `The transaction ${receipt.transactionHash} ${outcome}, and ${contract} does not stand.${cause}`,
      { code: "DEPLOYMENT_FAILED" },
    );
  }
  return { hash: receipt.transactionHash, isNew, verified };
}

/**
 * Broadcasts the transaction once. A node may take it and answer with an error, so that a transaction whose hash is known is
 * looked up before a failure is reported.
 */
async function broadcast(
  client: PublicClient,
  { account, sendTransaction, signTransaction }: SendDeploymentParameters["wallet"],
  {
    nonce,
    transaction: { data, fees, gasLimit, to },
  }: { nonce: number; transaction: NonNullable<DeploymentPlan["transaction"]> },
  chainId: number,
): Promise<Hex> {
  const nativeCurrency = { decimals: 18, name: "Ether", symbol: "ETH" };
  const chain = defineChain({
    id: chainId,
    name: `${chainId}`,
    nativeCurrency,
    rpcUrls: { default: { http: [] } },
  });
  const request = { account, chain, data, gas: gasLimit, nonce, to, value: 0n, ...fees };
  let hash: Hex | undefined;
  try {
    if (account.type !== "local") return await sendTransaction(request);
    const serializedTransaction = await signTransaction(request);
    hash = keccak256(serializedTransaction);
    await client.sendRawTransaction({ serializedTransaction });
    return hash;
  } catch (cause) {
    if (hash !== undefined && (await isKnown(client, hash))) return hash;
    const doubt = "run the same command again, which sends nothing while a transaction is on its way";
    throw failed(
      hash === undefined
        ? `The node did not take the transaction; ${doubt}`
        : `The node did not take the transaction ${hash}; ${doubt}`,
      cause,
    );
  }
}

async function isKnown(client: PublicClient, hash: Hex): Promise<boolean> {
  return client.getTransaction({ hash }).then(
    () => true,
    () => false,
  );
}

/** @returns The nonce of the sender's next transaction. */
async function checkSender(
  client: PublicClient,
  { address }: Account,
  transaction: NonNullable<DeploymentPlan["transaction"]>,
): Promise<number> {
  const [balance, latest, pending] = await Promise.all([
    client.getBalance({ address }),
    client.getTransactionCount({ address, blockTag: "latest" }),
    client.getTransactionCount({ address, blockTag: "pending" }),
  ]);
  const { most, wei } = costOf(transaction);
  if (balance < most) {
    throw refused(
      `${address} has ${balance} wei, and the deployment costs about ${wei} wei, at most ${most} wei.`,
    );
  }
  // One of them may be this deployment, sent by an earlier run.
  if (pending > latest) {
    throw refused(`${address} has ${pending - latest} transactions that are not mined yet: wait for them.`);
  }
  return latest;
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
