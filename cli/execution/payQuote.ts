import {
  createWalletClient,
  type Hex,
  http,
  type LocalAccount,
  type PublicClient,
  type TransactionSerializable,
} from "viem";
import { getStatus } from "../../src/client/getStatus.ts";
import { HttpError } from "../../src/errors/HttpError.ts";
import { RequestFailedError } from "../../src/errors/RequestFailedError.ts";
import {
  type ExecutionState,
  findItem,
  type ItemKey,
  setItem,
  startState,
} from "../../src/execute/ExecutionState.ts";
import { execute } from "../../src/execute/execute.ts";
import { callOf } from "../../src/execute/findTransaction.ts";
import type { ExecuteProgress } from "../../src/execute/Run.ts";
import { readApproval } from "../../src/execute/waitForAllowance.ts";
import { decimalToUnits } from "../../src/internal/amounts.ts";
import { websocketStream } from "../../src/track/websocketStream.ts";
import { boundedFetch } from "../settings/boundedFetch.ts";
import { checkFailed, keyError, usageError } from "../terminal/CommandError.ts";
import { exitCodes } from "../terminal/exitCodes.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import { type Allowed, assertSigns } from "./assertSigns.ts";
import { awaitUnpaid } from "./awaitUnpaid.ts";
import {
  createExecutionFile,
  type ExecutionFile,
  executionFileName,
  saveExecutionFile,
} from "./ExecutionFile.ts";
import { lockFile } from "./lockFile.ts";
import { allowanceOf } from "./planOf.ts";
import { toPolicy } from "./priceBounds.ts";
import { recordingAccount, type SignedTransaction } from "./recordingAccount.ts";
import { recoverSigned } from "./recoverSigned.ts";
import type { Stage } from "./Stage.ts";

type Asked = Pick<ExecutionFile, "bounds" | "quote" | "request"> & Partial<ExecutionFile>;

/**
 * Pays a quote and follows it to its end. Saves each change before the next action. From the first signature on, a closed pipe
 * does not stop the payment.
 *
 * @param resumed The file of an earlier run, which the caller has locked.
 */
export async function payQuote(stage: Stage, asked: Asked, resumed?: string): Promise<void> {
  const { account, options, service } = stage;
  const requestId = asked.quote.steps.findLast((step) => step.requestId !== undefined)?.requestId as Hex;
  const file = resumed ?? options.state ?? executionFileName(requestId);
  const { bounds, quote, request, signed = [] } = asked;
  const state =
    asked.state === undefined
      ? undefined
      : startState({ requestId, saved: asked.state, steps: asked.quote.steps });
  const saved: ExecutionFile = {
    account,
    bounds,
    quote,
    request,
    signed,
    state,
    url: service.url,
    version: 1,
  };
  const isBegun = signed.some(({ itemIndex, stepIndex }) =>
    isPayment(quote.steps[stepIndex]?.items[itemIndex]?.data),
  );
  if (!isBegun) await assertUnpaid(stage, requestId, stage.terminal.signal);
  if (resumed !== undefined) {
    await pay(stage, saved, file);
    return;
  }
  const unlock = lockFile(file);
  try {
    createExecutionFile(file, saved);
    await pay(stage, saved, file);
  } finally {
    unlock();
  }
}

/** A guard for the same quote in another folder, and for a copied file: a paid request is no longer waiting. */
async function assertUnpaid(
  { service: { client } }: Stage,
  requestId: Hex,
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

async function pay(stage: Stage, begun: ExecutionFile, file: string): Promise<void> {
  const { destination, options, origin, service, signer, terminal, trust } = stage;
  if (signer === undefined) throw keyError("This needs the private key of the account that pays.");
  const signal = interruptsOf(terminal);
  let saved = begun;
  let current: Current | undefined;
  let refusal: unknown;
  const save = (changes: Partial<ExecutionFile>) => {
    saved = { ...saved, ...changes };
    saveExecutionFile(file, saved);
  };
  if (saved.state !== undefined) {
    const { account, quote, signed, state } = saved;
    save({ state: await recoverSigned({ account, node: origin, now: Date.now(), quote, signed, state }) });
  }
  const onProgress = async (progress: ExecuteProgress) => {
    if (progress.type === "item") {
      const { itemIndex, phase, stepIndex, txHash } = progress;
      current = { ...allowedOf(stage, begun, progress), itemIndex, stepIndex };
      // Another transaction has the nonce: the signed one can no longer be mined.
      if (phase === "notDone" && txHash !== undefined) save({ signed: without(saved.signed, progress) });
    }
    save({ state: keepSigned(saved, progress) });
    print(terminal, progress);
    if (progress.type !== "item" || progress.phase !== "sending" || current?.isPayment !== true) return;
    await assertUnpaid(stage, progress.state.requestId, signal);
    const { account } = begun;
    const nonce = await awaitUnpaid({
      account,
      call: current.call,
      node: origin,
      signal,
      timeout: options.for ?? usualWait,
    });
    current = { ...current, nonce };
  };
  const hooks = {
    assertSigns: (transaction: TransactionSerializable) => {
      try {
        if (current === undefined || saved.signed.some((each) => isAt(each, current))) {
          throw new Error("an item that has a signed transaction");
        }
        assertSigns(transaction, current);
      } catch (error) {
        refusal = error;
        throw error;
      }
    },
    onSigned: (transaction: SignedTransaction) => {
      if (current === undefined) throw new Error("a signature without an item");
      const { itemIndex, stepIndex } = current;
      save({ signed: [...saved.signed, { itemIndex, stepIndex, ...transaction }] });
    },
  };
  try {
    const { bounds, quote, request, state } = saved;
    const { txHashes } = await execute(service.client, {
      batch: "never",
      onProgress,
      publicClient: origin,
      quote,
      request,
      signal,
      state,
      stream: service.wsUrl === undefined ? undefined : websocketStream({ url: service.wsUrl }),
      timeout: options.for,
      verify: { ...toPolicy(bounds), destinationReader: destination, reader: origin, trust },
      wallet: walletOf(origin, recordingAccount(signer, hooks)),
    });
    const requestId = saved.state?.requestId;
    terminal.line(
      { file, requestId, txHashes, type: "result" },
      `${terminal.style("green", "paid")}  request ${requestId}  ${txHashes.join(" ")}`,
    );
    await reportAllowances(stage, saved);
  } catch (error) {
    if (!(error instanceof RequestFailedError)) {
      terminal.note(`Continue by waybill execute --resume ${file}. It pays nothing twice.`);
    }
    throw refusal ?? error;
  }
}

/** The item in work, and what its transaction may be. */
type Current = Allowed & ItemKey & { readonly isPayment: boolean };

/** Longest wait for other transactions of the account, in milliseconds. */
const usualWait = 600_000;
/** Most native currency for the gas of a transaction, in whole tokens. */
export const usualMaximumFee = "0.05";

function allowedOf(
  { options: { maxFee = usualMaximumFee } }: Stage,
  { request: { originChainId } }: ExecutionFile,
  { itemIndex, step }: Extract<ExecuteProgress, { readonly type: "item" }>,
): Allowed & Pick<Current, "isPayment"> {
  const data = step.kind === "transaction" ? step.items[itemIndex]?.data : undefined;
  if (data?.to === undefined) throw usageError("The quote has steps without a transaction of an EVM chain.");
  return {
    call: callOf(data),
    chainId: originChainId,
    isPayment: isPayment(data),
    maximumFee: decimalToUnits(maxFee, 18),
  };
}

/** Whether a transaction moves money. Approvals do not. */
const isPayment = (data: unknown): boolean =>
  readApproval((data as { readonly data?: Hex } | undefined)?.data) === undefined;

const isAt = (one: ItemKey, other: ItemKey | undefined) =>
  one.itemIndex === other?.itemIndex && one.stepIndex === other.stepIndex;

const without = (signed: ExecutionFile["signed"], key: ItemKey) => signed.filter((each) => !isAt(each, key));

/**
 * Keeps the item of a signed transaction, whatever the node answered to its broadcast: a node may take a transaction and answer
 * with an error.
 */
function keepSigned({ signed, state }: ExecutionFile, progress: ExecuteProgress): ExecutionState {
  const next = progress.state;
  if (progress.type !== "item" || progress.phase !== "notDone") return next;
  const item = state === undefined ? undefined : findItem(state, progress);
  return item === undefined || !signed.some((each) => isAt(each, progress)) ? next : setItem(next, item);
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

/** The transport of the node, without its retries: a transaction is broadcast once by a run. */
function walletOf({ transport }: PublicClient, account: LocalAccount) {
  const { url = "" } = transport as { readonly url?: string };
  return createWalletClient({
    account,
    transport: http(url, { fetchFn: boundedFetch, retryCount: 0, timeout: 30_000 }),
  });
}

function print(terminal: Terminal, progress: ExecuteProgress): void {
  if (progress.type === "status") {
    const { status, txHashes } = progress.progress;
    terminal.line(
      { status, txHashes, type: "status" },
      `${"request".padEnd(10)} ${status.padEnd(12)} ${txHashes.join(" ")}`.trimEnd(),
    );
    return;
  }
  const { itemIndex, phase, step, stepIndex, txHash } = progress;
  terminal.line(
    { itemIndex, phase, step: step.id, stepIndex, txHash, type: "item" },
    `${step.id.padEnd(10)} ${phase.padEnd(12)} ${txHash ?? ""}`.trimEnd(),
  );
}

/** Names what spenders may still take after the payment. */
async function reportAllowances(
  { account, from, origin, terminal }: Stage,
  { quote }: ExecutionFile,
): Promise<void> {
  for (const step of quote.steps) {
    if (step.kind !== "transaction") continue;
    for (const { data } of step.items) {
      if (data?.to === undefined) continue;
      const approval = readApproval(data.data);
      if (approval === undefined || approval.amount === 0n) continue;
      const { spender } = approval;
      const token = data.to;
      const left = await allowanceOf(origin, { account, spender, token }).catch(() => 0n);
      if (left === 0n) continue;
      const facts = { allowance: left, chainId: from.chainId, spender, token, type: "allowance" };
      const text = `${spender} may still take ${left} units of ${token} on ${from.chainId}: revoke it if you do not need it`;
      terminal.line(facts, terminal.style("yellow", text));
    }
  }
}
