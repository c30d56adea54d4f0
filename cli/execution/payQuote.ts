import {
  createNonceManager,
  createWalletClient,
  formatEther,
  type Hex,
  type LocalAccount,
  type PublicClient,
} from "viem";
import { usualMaximumFee as usualFeeInWei } from "../../src/calls/verify/proofDefaults.ts";
import { getStatus } from "../../src/client/getStatus.ts";
import { HttpError } from "../../src/errors/HttpError.ts";
import { printable } from "../../src/errors/printable.ts";
import { RequestFailedError } from "../../src/errors/RequestFailedError.ts";
import { startState } from "../../src/execute/ExecutionState.ts";
import { execute } from "../../src/execute/execute.ts";
import type { ExecuteProgress } from "../../src/execute/Run.ts";
import { readApproval } from "../../src/execute/stepCall.ts";
import { decimalToUnits } from "../../src/internal/amounts.ts";
import { websocketStream } from "../../src/track/websocketStream.ts";
import { nodeTransport } from "../settings/openNode.ts";
import { CommandError, checkFailed, exitCodes, keyError, usageError } from "../terminal/CommandError.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import {
  createExecutionFile,
  type ExecutionFile,
  executionFileName,
  saveExecutionFile,
} from "./ExecutionFile.ts";
import { type Stage, toPolicy } from "./requestQuote.ts";

type Asked = Pick<ExecutionFile, "bounds" | "quote" | "request"> & Partial<ExecutionFile>;

/** Most native currency for the gas of a transaction, in whole tokens. */
export const usualMaximumFee = formatEther(usualFeeInWei);

/**
 * Pays a quote and follows it to its end. The library's core signs: its state, which holds the signed bytes, is saved before each
 * action. From the first signature on, a closed pipe does not stop the payment.
 *
 * @param resumed The file of an earlier run.
 */
export async function payQuote(stage: Stage, asked: Asked, resumed?: string): Promise<void> {
  const { account, options, origin, service, terminal } = stage;
  const { bounds, quote, request } = asked;
  const requestId = quote.steps.findLast((step) => step.requestId !== undefined)?.requestId;
  if (requestId === undefined) throw usageError("The quote names no request.");
  const file = resumed ?? options.state ?? executionFileName(requestId);
  const state = asked.state === undefined ? undefined : startState(requestId as Hex, quote, asked.state);
  const nonce = asked.nonce ?? (await countTransactions(origin, account));
  const { url } = service;
  const saved: ExecutionFile = { account, bounds, nonce, quote, request, state, url, version: 2 };
  if (!hasBegun(saved)) await takeNonce(stage, saved, requestId, terminal.signal);
  if (resumed === undefined) createExecutionFile(file, saved);
  try {
    await pay(stage, saved, { file, requestId });
  } catch (error) {
    if (!(error instanceof RequestFailedError)) {
      terminal.note(`Continue by waybill execute --resume ${file}. It pays nothing twice.`);
    }
    throw error;
  }
}

/** Whether a payment was signed. Approvals pay nothing. */
export function hasBegun({ quote, state }: ExecutionFile): boolean {
  const items = state?.items ?? [];
  return items.some(({ itemIndex, stepIndex }) => {
    const data: unknown = quote.steps[stepIndex]?.items[itemIndex]?.data;
    return data !== undefined && readApproval(data as { readonly data?: Hex }) === undefined;
  });
}

/**
 * The only nonce of the next transaction: after those that this run has signed. Of two processes with one file, one nonce lets one
 * payment be mined.
 *
 * @throws CommandError for a request that is paid, and once the account used the nonce.
 */
async function takeNonce(
  stage: Stage,
  { account, nonce, state }: ExecutionFile,
  requestId: string,
  signal: AbortSignal,
): Promise<number> {
  await assertUnpaid(stage, requestId, signal);
  const signed = (state?.items ?? []).filter(({ txHash }) => txHash !== undefined).length;
  const next = nonce + signed;
  const count = await countTransactions(stage.origin, account);
  // A file of others could name a later nonce, under which a payment waits until it is forgotten.
  if (nonce <= count && count <= next) return next;
  const sentence = `The next nonce of ${account} is ${count}, not ${next}: it sent another transaction after this run began, which may be the same payment, or the file was changed. Look at it, then ask for a new quote.`;
  throw checkFailed(sentence, "NONCE_USED");
}

const countTransactions = (node: PublicClient, address: ExecutionFile["account"]): Promise<number> =>
  node.getTransactionCount({ address, blockTag: "pending" });

/** A guard for the same quote in another folder, and for a copied file: a paid request is no longer waiting. */
async function assertUnpaid(
  { service: { client } }: Stage,
  requestId: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { status } = await getStatus(client, { requestId, signal });
    if (status === "waiting") return;
    throw checkFailed(
      `Request ${requestId} is ${status} already: it was paid before, and is not paid again.`,
      "ALREADY_PAID",
    );
  } catch (error) {
    // Some services know a request from its deposit on.
    if (error instanceof HttpError && error.status === 404) return;
    throw error;
  }
}

async function pay(
  stage: Stage,
  begun: ExecutionFile,
  { file, requestId }: { readonly file: string; readonly requestId: string },
): Promise<void> {
  const { destination, options, origin, service, signer, terminal, trust } = stage;
  if (signer === undefined) throw keyError("This needs the private key of the account that pays.");
  const { bounds, quote, request } = begun;
  const { maxFee = usualMaximumFee } = options;
  const signal = interruptsOf(terminal);
  let { state } = begun;
  let refusal: unknown;
  const onProgress = (progress: ExecuteProgress) => {
    state = progress.state;
    saveExecutionFile(file, { ...begun, state });
    print(terminal, progress);
  };
  const consume = () =>
    takeNonce(stage, { ...begun, state }, requestId, signal).catch((error: unknown) => {
      refusal = error instanceof CommandError ? error : undefined;
      throw error;
    });
  const { txHashes } = await execute(service.client, {
    onProgress,
    publicClient: origin,
    quote,
    request,
    signal,
    state,
    stream: service.wsUrl === undefined ? undefined : websocketStream({ url: service.wsUrl }),
    timeout: options.for,
    verify: {
      ...toPolicy(bounds),
      destinationReader: destination,
      maximumFee: decimalToUnits(maxFee, 18),
      reader: origin,
      trust,
    },
    wallet: walletOf(origin, signer, consume),
  }).catch((error: unknown) => {
    throw refusal ?? error;
  });
  terminal.line(
    { file, requestId, txHashes, type: "result" },
    `paid  request ${requestId}  ${listOf(txHashes)}`,
  );
}

/** Ctrl-C and SIGTERM stop between two steps. A closed pipe does not: money first, output second. */
function interruptsOf({ signal }: Terminal): AbortSignal {
  const stopped = new AbortController();
  const stop = () => {
    const { exitCode } = signal.reason as { readonly exitCode?: number };
    if (exitCode !== exitCodes.closedPipe) stopped.abort(signal.reason);
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return stopped.signal;
}

/** The payer's account on its node, without retries of the transport: the library decides what is sent again. */
function walletOf({ transport }: PublicClient, signer: LocalAccount, consume: () => Promise<number>) {
  const { url = "" } = transport as { readonly url?: string };
  const nonceManager = createNonceManager({ source: { get: consume, set: () => undefined } });
  return createWalletClient({
    account: { ...signer, nonceManager: { ...nonceManager, consume } },
    transport: nodeTransport(url, { retryCount: 0 }),
  });
}

/** Hashes are the service's text: on one line, and no longer than any chain's. */
const listOf = (hashes: readonly string[]) =>
  hashes
    .slice(0, 16)
    .map((hash) => printable(hash, 100))
    .join(" ");

function print(terminal: Terminal, progress: ExecuteProgress): void {
  if (progress.type === "status") {
    const { status, txHashes } = progress.progress;
    terminal.line(
      { status, txHashes, type: "status" },
      `${"request".padEnd(10)} ${printable(status, 100).padEnd(12)} ${listOf(txHashes)}`.trimEnd(),
    );
    return;
  }
  const { itemIndex, phase, step, stepIndex, txHash } = progress;
  terminal.line(
    { itemIndex, phase, step: step.id, stepIndex, txHash, type: "item" },
    `${printable(step.id, 100).padEnd(10)} ${phase.padEnd(12)} ${txHash ?? ""}`.trimEnd(),
  );
}
