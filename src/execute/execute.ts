import { maxUint256, type WalletClient } from "viem";
import { getChainId } from "viem/actions";
import { usualMaximumFee, usualMaximumGas } from "../calls/verify/proofDefaults.ts";
import type { QuoteIntent, QuotePolicy } from "../calls/verify/VerifyQuoteParameters.ts";
import type { Client } from "../client/internal/Client.ts";
import { leastPollingInterval } from "../client/internal/constants.ts";
import { ChainMismatchError } from "../errors/ChainMismatchError.ts";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { PaymentClaimedError } from "../errors/PaymentClaimedError.ts";
import type { PaymentLimitError } from "../errors/PaymentLimitError.ts";
import type { PaymentUnsettledError } from "../errors/PaymentUnsettledError.ts";
import type { QuoteMismatchError } from "../errors/QuoteMismatchError.ts";
import type { StepRejectedError } from "../errors/StepRejectedError.ts";
import type { TransactionReplacedError } from "../errors/TransactionReplacedError.ts";
import type { TransactionRevertedError } from "../errors/TransactionRevertedError.ts";
import type { UnsupportedStepError } from "../errors/UnsupportedStepError.ts";
import type { WalletFailedError } from "../errors/WalletFailedError.ts";
import { assertFunction } from "../internal/assertFunction.ts";
import { assertNumber } from "../internal/assertNumber.ts";
import { assertSignal } from "../internal/assertSignal.ts";
import { readObject } from "../internal/readParts.ts";
import { type Quote, quoteSchema } from "../schema/quote/quote.ts";
import type { Step } from "../schema/quote/step.ts";
import { bytes32Schema } from "../schema/wire/hex.ts";
import { readBy } from "../schema/wire/readBy.ts";
import type { StatusStream } from "../track/StatusStream.ts";
import { type WaitForRequestErrorType, waitForRequest } from "../track/waitForRequest.ts";
import { type AssertSteps, isAllDone, startAssertion } from "./assertQuote.ts";
import { checkState } from "./checkState.ts";
import { checkSteps } from "./checkSteps.ts";
import { type ExecutionState, findItem, startState } from "./ExecutionState.ts";
import { executeBatch, resumeBatch } from "./executeBatch.ts";
import { executeSignatureItem } from "./executeSignatureItem.ts";
import { executeTransactionItem } from "./executeTransactionItem.ts";
import { recoverTransaction } from "./findTransaction.ts";
import { fromEthers } from "./fromEthers.ts";
import { fromViem } from "./fromViem.ts";
import { claimPayment, releasePayment } from "./paymentLedger.ts";
import { readInTime } from "./poll.ts";
import {
  assertNotAborted,
  type ExecuteProgress,
  hasPayment,
  type Item,
  type OriginReceipt,
  type Run,
  recordPayment,
  refuse,
  toTransactionItem,
} from "./Run.ts";
import type { ChainReader, EthersSigner } from "./Wallet.ts";

/** Limits appended steps, so that the service cannot prolong a run without end. */
const mostAppendedSteps = 16;

/** Parameters of {@link execute}. */
export type ExecuteParameters = {
  /**
   * `auto` sends approvals and the following transaction as one batch, if the wallet supports atomic batches on the
   * origin chain (EIP-5792). `never` sends each separately. Both follow batches already sent. Default: `auto`.
   */
  batch?: "auto" | "never" | undefined;
  /** Called and awaited for every event. Save `progress.state` here, and pass it as `state` to resume after a crash. */
  onProgress?: ((progress: ExecuteProgress) => void | Promise<void>) | undefined;
  /** Milliseconds between reads of the chain or the status. Default and minimum: 1000. */
  pollingInterval?: number | undefined;
  /** Client of the origin chain, or a function that creates one. Default: the wallet, or the signer's provider. */
  publicClient?: ChainReader | ((chainId: number) => ChainReader) | undefined;
  /** The quote from `getQuote`. */
  quote: Quote;
  /**
   * Parameters of `getQuote`. Before signing, the quote and appended steps are proven against them; see `verifyQuote`.
   * Required unless `verify` is false.
   */
  request?: QuoteIntent | undefined;
  /** Stops between wallet requests. A pending wallet request is awaited. */
  signal?: AbortSignal | undefined;
  /** State of an earlier run of the same quote. Rejected with other steps. */
  state?: ExecutionState | undefined;
  /** Status stream: `websocketStream()`. Polling then only covers its gaps. Default: none. */
  stream?: StatusStream | undefined;
  /** Time limit of each wait (receipt, allowance, end of the request), in milliseconds. Default: ten minutes. */
  timeout?: number | undefined;
  /** Policy of the proof: price bounds and trust roots (default: `productionTrust`). `false` disables the proof. */
  verify?: QuotePolicy | false | undefined;
  /** A viem wallet client with an account, or an ethers 6 signer with a provider, connected to the origin chain. */
  wallet: EthersSigner | WalletClient;
};

/** Return value of {@link execute}. */
export type ExecuteReturnType = {
  /** Origin transactions reported by the service. */
  readonly inTxHashes: readonly string[];
  /** Receipts of the transactions that this run sent or awaited, in order. */
  readonly originReceipts: readonly OriginReceipt[];
  readonly requestId: string;
  readonly state: ExecutionState;
  readonly status: "success";
  /** Destination transactions. */
  readonly txHashes: readonly string[];
};

/** Errors of {@link execute}. */
export type ExecuteErrorType =
  | ChainMismatchError
  | InvalidParameterError
  | PaymentClaimedError
  | PaymentLimitError
  | PaymentUnsettledError
  | QuoteMismatchError
  | StepRejectedError
  | TransactionReplacedError
  | TransactionRevertedError
  | UnsupportedStepError
  | WaitForRequestErrorType
  | WalletFailedError;

/**
 * Executes a quote: every item of every step in order with the user's wallet, then waits until the request ends.
 *
 * Checks all steps before the first one: rejects unknown kinds, other chains than the origin, other senders than the
 * wallet's account, and signatures for other hosts.
 *
 * Pays an order or request once in a process, whatever `state` is given: skips items that are `complete` in the quote or in
 * `state`, awaits what was sent, sends the same signed bytes again, and rejects an item with an unknown outcome.
 *
 * Signs and sends only items proven against `request` within the bounds of `verify`; see `verifyQuote`. On one chain,
 * adds the `OutputGuard` calls.
 *
 * @throws ExecuteErrorType — RequestFailedError when the request ends in `failure` or `refund`.
 *
 * @example
 * import { createClient, type GetQuoteParameters, getQuote } from "waybill/client";
 * import { execute, type TrustRoots } from "waybill/execute";
 * import { createWalletClient, http } from "viem";
 * import { mnemonicToAccount } from "viem/accounts";
 *
 * // Of the emulator: trustOfEmulator(emulator.info).
 * declare const trust: TrustRoots;
 * const account = mnemonicToAccount("test test test test test test test test test test test junk");
 * const client = createClient({ baseUrl: "http://127.0.0.1:4000" });
 * const native = "0x0000000000000000000000000000000000000000";
 * const request: GetQuoteParameters = {
 *   amount: 10n ** 16n,
 *   destinationChainId: 31338,
 *   destinationCurrency: native,
 *   originChainId: 31337,
 *   originCurrency: native,
 *   tradeType: "EXACT_INPUT",
 *   user: account.address,
 * };
 * const quote = await getQuote(client, request);
 * const wallet = createWalletClient({ account, transport: http("http://127.0.0.1:8545") });
 * const verify = { minimumOutput: 9n * 10n ** 15n, trust };
 * const { txHashes } = await execute(client, { quote, request, verify, wallet });
 * console.log(txHashes);
 */
export async function execute(client: Client, parameters: ExecuteParameters): Promise<ExecuteReturnType> {
  const given = { ...parameters, quote: readBy(quoteSchema, parameters.quote, "quote") };
  const run = await startRun(client, given);
  checkSteps(run, run.steps, 0);
  const assertSteps = await startAssertion(run, given);
  await readInTime(run, "reading the chain ids", assertReaderChains(run, given));
  await checkState(run);
  adoptPayment(run, given);
  try {
    const originReceipts = await pay(run, assertSteps);
    const step = run.steps.at(-1);
    if (given.verify !== false && step !== undefined && !hasPayment(run)) {
      const stepIndex = run.steps.length - 1;
      throw refuse({ itemIndex: 0, step, stepIndex }, "it is the last one, and no step has paid");
    }
    const { pollingInterval, signal, timeout } = run;
    const { requestId } = run.state;
    const { inTxHashes, status, txHashes } = await waitForRequest(client, {
      onStatus: (progress) => run.onProgress?.({ progress, state: run.state, type: "status" }),
      pollingInterval,
      requestId,
      signal,
      stream: given.stream,
      timeout,
    });
    return { inTxHashes, originReceipts, requestId, state: run.state, status, txHashes };
  } finally {
    if (run.claim !== undefined) releasePayment(run.claim);
  }
}

async function startRun(client: Client, parameters: ExecuteParameters): Promise<Run> {
  const { batch = "auto", onProgress, pollingInterval = 1_000, timeout = 600_000 } = parameters;
  const { publicClient, quote, signal, stream, verify, wallet: given } = parameters;
  if (batch !== "auto" && batch !== "never") {
    throw new InvalidParameterError({ parameter: "batch", reason: "neither auto nor never" });
  }
  for (const [name, value] of Object.entries({ onProgress, stream })) {
    if (value !== undefined) assertFunction(name, value);
  }
  assertNumber("pollingInterval", pollingInterval, leastPollingInterval);
  assertSignal(signal);
  assertNumber("timeout", timeout, 1);
  readObject(given, "wallet");
  const wallet = "getAddress" in given ? await fromEthers(given) : fromViem(given);
  const named = quote.steps.findLast(({ requestId }) => requestId !== undefined);
  const { data: requestId } = bytes32Schema.safeParse(named?.requestId);
  if (requestId === undefined) {
    throw new InvalidParameterError({ parameter: "quote.steps", reason: "no step names the request" });
  }
  const originChainId = quote.details.currencyIn.currency.chainId;
  const reader =
    (typeof publicClient === "function" ? publicClient(originChainId) : publicClient) ?? wallet.rpc;
  if (typeof reader?.request !== "function") {
    const reason = "neither it nor the wallet's provider speaks JSON-RPC";
    throw new InvalidParameterError({ parameter: "publicClient", reason });
  }
  const policy = verify === false ? undefined : (verify ?? {});
  const closes = quote.protocol?.v2?.orderData?.output.deadline;
  const state = startState({ requestId, saved: parameters.state, steps: quote.steps });
  return {
    batch,
    claim: undefined,
    client,
    // The caller's `now` may differ from the client's clock.
    deadline: policy && closes && closes * 1_000 - (policy.now ?? client.now()) + client.now(),
    isProven: false,
    maximumFee: policy ? (policy.maximumFee ?? usualMaximumFee) : maxUint256,
    maximumGas: policy ? (policy.maximumGas ?? usualMaximumGas) : maxUint256,
    onProgress,
    originChainId,
    outputGuard: undefined,
    pollingInterval,
    reader,
    signal,
    state,
    steps: [...quote.steps, ...state.appendedSteps],
    timeout,
    wallet,
  };
}

/** A reader of another chain would wait for a receipt in vain, or confirm what is not on this one. */
async function assertReaderChains(
  { originChainId, reader, wallet }: Run,
  { quote, verify }: ExecuteParameters,
): Promise<void> {
  const policy = verify || undefined;
  const readers = [
    ["publicClient", reader === wallet.rpc ? undefined : reader, originChainId],
    ["verify.reader", policy?.reader, originChainId],
    ["verify.destinationReader", policy?.destinationReader, quote.details.currencyOut.currency.chainId],
  ] as const;
  for (const [subject, client, expectedChainId] of readers) {
    if (client === undefined) continue;
    const actualChainId = await getChainId(client as ChainReader).catch((cause: unknown) => {
      const reason = "it does not say which chain it reads";
      throw new InvalidParameterError({ cause, parameter: subject, reason });
    });
    if (actualChainId !== expectedChainId) {
      throw new ChainMismatchError({ actualChainId, expectedChainId, subject });
    }
  }
}

/**
 * Claims the payment, and continues from what this process knows of it: a state may be older than the payment.
 *
 * @throws PaymentClaimedError, PaymentLimitError
 */
function adoptPayment(run: Run, { quote, state: saved }: ExecuteParameters): void {
  const { client, deadline, state, steps } = run;
  const orderId = quote.protocol?.v2?.orderId ?? state.requestId;
  try {
    const claim = claimPayment({ deadline, ids: [orderId, state.requestId], now: client.now() });
    const known = claim.record as ExecutionState | undefined;
    if (known !== undefined) {
      const isSame = known.stepsHash === state.stepsHash && known.requestId === state.requestId;
      // Without a state, the caller may want to pay twice.
      const isAgain = saved === undefined && known.items?.every(({ status }) => status === "complete");
      if (!isSame || isAgain) {
        releasePayment(claim);
        throw new PaymentClaimedError(orderId);
      }
      run.state = known;
    }
    run.claim = claim;
    claim.ask = (asked) => run.wallet.rpc?.request(asked as never);
    recordPayment(run);
  } catch (error) {
    // Nothing is left to sign: two runs may follow one payment.
    if (!isAllDone(state, steps)) throw error;
  }
}

async function pay(run: Run, assertSteps: AssertSteps): Promise<readonly OriginReceipt[]> {
  const { steps } = run;
  // Executes the proven steps, including the guards.
  const proof = assertSteps(run.state.appendedSteps);
  steps.splice(0, steps.length, ...(await readInTime(run, "proving the quote", proof)));
  const originReceipts: OriginReceipt[] = [];
  // The array iterator also visits items pushed during the loop, so it executes appended steps too.
  for (const [stepIndex, step] of steps.entries()) {
    for (const itemIndex of step.items.keys()) {
      assertNotAborted(run);
      const { appended = [], receipts = [] } = await executeItem(run, { itemIndex, step, stepIndex });
      originReceipts.push(...receipts);
      await addSteps(run, appended, assertSteps);
    }
  }
  return originReceipts;
}

type ItemResult = { appended?: readonly Step[]; receipts?: readonly OriginReceipt[] };

async function executeItem(run: Run, item: Item): Promise<ItemResult> {
  const { itemIndex, step } = item;
  const recorded = findItem(run.state, item);
  if (step.items[itemIndex]?.status === "complete" || recorded?.status === "complete") return {};
  if (recorded?.batchId !== undefined) {
    const receipts = await resumeBatch(run, recorded.batchId, recorded.status);
    if (receipts !== undefined) return { receipts };
  }
  const transaction = toTransactionItem(item);
  if (recorded?.status === "sending") {
    // Batches were already looked up by id, and signatures are not on a chain.
    const isLost = recorded.batchId !== undefined || transaction === undefined;
    if (isLost || !(await recoverTransaction(run, transaction, recorded))) {
      throw refuse(item, "a run stopped while sending it; look before sending again");
    }
  }
  if (transaction !== undefined) {
    const mayBatch = run.batch === "auto" && run.wallet.canBatch && recorded === undefined;
    const receipts = mayBatch ? await executeBatch(run, item) : undefined;
    return { receipts: receipts ?? [await executeTransactionItem(run, transaction)] };
  }
  const data = step.kind === "signature" ? step.items[itemIndex]?.data : undefined;
  if (data === undefined) throw refuse(item, "it carries no data");
  return { appended: await executeSignatureItem(run, { ...item, data }) };
}

async function addSteps(run: Run, appended: readonly Step[], assertSteps: AssertSteps): Promise<void> {
  const [step] = appended;
  if (step === undefined) return;
  const { state, steps } = run;
  checkSteps(run, appended, steps.length);
  const proven = await readInTime(run, "proving appended steps", assertSteps(state.appendedSteps));
  steps.push(...proven.slice(steps.length));
  if (state.appendedSteps.length <= mostAppendedSteps) return;
  const reason = `the service appended more than ${mostAppendedSteps} steps`;
  throw refuse({ itemIndex: 0, step, stepIndex: steps.length - 1 }, reason);
}
