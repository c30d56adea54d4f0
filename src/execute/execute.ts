import { maxUint256, type WalletClient } from "viem";
import { usualMaximumFee, usualMaximumGas } from "../calls/verify/proofDefaults.ts";
import { readQuote } from "../calls/verify/readQuote.ts";
import type { QuoteIntent, QuotePolicy } from "../calls/verify/VerifyQuoteParameters.ts";
import type { Client } from "../client/internal/Client.ts";
import { leastPollingInterval } from "../client/internal/constants.ts";
import { PaymentClaimedError } from "../errors/PaymentClaimedError.ts";
import { PaymentUnsettledError } from "../errors/PaymentUnsettledError.ts";
import { assertFunction, assertNumber, assertSignal, assertValid } from "../internal/readParts.ts";
import type { Quote } from "../schema/quote/quote.ts";
import { bytes32Schema } from "../schema/wire/hex.ts";
import { wireObject } from "../schema/wire/wireObject.ts";
import type { StatusStream } from "../track/StatusStream.ts";
import { waitForRequest } from "../track/waitForRequest.ts";
import { checkState } from "./checkState.ts";
import { type ExecutionState, findItem, setItem, startState } from "./ExecutionState.ts";
import { executeBatch, followBatch, readBatch } from "./executeBatch.ts";
import { executeSignatureItem } from "./executeSignatureItem.ts";
import { executeTransactionItem } from "./executeTransactionItem.ts";
import { recoverTransaction } from "./findTransaction.ts";
import { claimPayment, releasePayment } from "./paymentLedger.ts";
import { readInTime } from "./poll.ts";
import { startProofs } from "./proveItems.ts";
import {
  assertNotAborted,
  type ExecuteProgress,
  hasPayment,
  type Item,
  isAllSent,
  isTransaction,
  listItems,
  listOpenItems,
  type OriginReceipt,
  type Run,
  recordPayment,
  refuse,
  type SignatureItem,
} from "./Run.ts";
import { readWallet } from "./readWallet.ts";
import type { ChainReader, EthersSigner } from "./Wallet.ts";

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
  /** State of an earlier run of the same quote. Rejected with other steps or another order. */
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

/**
 * Executes a quote: every item of every step in order with the user's wallet, then waits until the request ends.
 *
 * Checks all steps before the first one: rejects unknown kinds, other chains than the origin, other senders than the
 * wallet's account, and signatures for other hosts.
 *
 * Pays an order or request once in a process, whatever `state` is given: skips items that are `complete` in the quote or in
 * `state`, awaits what was sent, sends the same signed bytes again, and rejects an item with an unknown outcome. A wallet
 * that answers without a hash leaves one.
 *
 * Signs and sends only items proven against `request` within the bounds of `verify`; see `verifyQuote`. On one chain,
 * adds the `OutputGuard` calls.
 *
 * @throws InvalidParameterError, UnsupportedStepError, StepRejectedError, QuoteMismatchError, ChainMismatchError,
 * WalletFailedError, PaymentClaimedError, PaymentLimitError: this call sent nothing for the item.
 * PaymentUnsettledError after a submission, whatever refuses then. TransactionReplacedError, TransactionRevertedError; RequestFailedError when the
 * request ends in `failure` or `refund`; errors of `waitForRequest`.
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
 *   refundTo: account.address,
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
  const given = { ...parameters, quote: readQuote(parameters.quote) };
  const run = await startRun(client, given);
  const proveItems = await startProofs(run, given);
  await checkState(run);
  adoptPayment(run, given);
  try {
    const originReceipts = await pay(run, proveItems);
    const last = run.items.at(-1);
    if (given.verify !== false && last !== undefined && !hasPayment(run)) {
      throw refuse(last, "no step has paid");
    }
    await nameTransaction(run, given.quote);
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
  } catch (error) {
    // A payment may be on its way.
    if (!nothingSent.test((error as { code: string }).code) || !hasPayment(run)) throw error;
    throw new PaymentUnsettledError({ cause: error, stepId: run.items[0]?.step.id ?? "" });
  } finally {
    if (run.claim !== undefined) releasePayment(run.claim);
  }
}

/** Codes of the errors that promise that nothing was sent. */
const nothingSent = /^(?:CHAIN|INVALID|QUOTE|STEP|UNSUPPORTED|WALLET)_/;

async function startRun(client: Client, parameters: ExecuteParameters): Promise<Run> {
  const { batch = "auto", onProgress, pollingInterval = 1_000, timeout = 600_000 } = parameters;
  const { publicClient, quote, signal, stream, verify } = parameters;
  assertValid(batch === "auto" || batch === "never", "batch", "neither auto nor never");
  for (const [name, value] of Object.entries({ onProgress, stream })) {
    if (value !== undefined) assertFunction(name, value);
  }
  stream?.check?.(client);
  assertNumber("pollingInterval", pollingInterval, leastPollingInterval);
  assertSignal(signal);
  assertNumber("timeout", timeout, 1);
  const named = quote.steps.findLast(({ requestId }) => requestId !== undefined);
  const { data: requestId } = bytes32Schema.safeParse(named?.requestId);
  assertValid(requestId !== undefined, "quote.steps", "no step names the request");
  const originChainId = quote.details.currencyIn.currency.chainId;
  const node = typeof publicClient === "function" ? publicClient(originChainId) : publicClient;
  if (node !== undefined) assertFunction("publicClient", Object(node).request);
  const read = readWallet(parameters.wallet, node);
  const wallet = await readInTime({ client, signal, timeout }, "asking the wallet", read);
  const policy = verify === false ? undefined : (verify ?? {});
  const state = startState(requestId, quote, parameters.state);
  return {
    client,
    isProven: false,
    items: listItems(quote.steps, state.appendedSteps),
    maximumFee: policy ? (policy.maximumFee ?? usualMaximumFee) : maxUint256,
    maximumGas: policy ? (policy.maximumGas ?? usualMaximumGas) : maxUint256,
    nextNonce: 0,
    mayBatch: batch === "auto" && wallet.account.type === "json-rpc",
    onProgress,
    originChainId,
    pollingInterval,
    reader: node ?? wallet,
    signal,
    state,
    timeout,
    wallet,
  };
}

/** Claims the payment, and continues from what this process knows of it: a state may be older than the payment. */
function adoptPayment(run: Run, { quote, state: saved }: ExecuteParameters): void {
  const { client, deadline, state } = run;
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
      // What another process or a person found of an item is safe to follow, whatever its outcome here.
      const items = known.items.map((entry) => {
        const given = findItem(state, entry) ?? entry;
        return entry.status === "sending" && given.raw === undefined ? given : entry;
      });
      run.state = { ...known, items };
      run.items = listItems(quote.steps, known.appendedSteps);
    }
    run.claim = claim;
    claim.ask = (asked) => run.wallet.request(asked as never);
    recordPayment(run);
  } catch (error) {
    // Nothing is left to sign: two runs may follow one payment.
    if (!isAllSent(run)) throw error;
  }
}

/** Executes the first open item until none is left. A submitted signature may append items. */
async function pay(run: Run, proveItems: () => Promise<void>): Promise<readonly OriginReceipt[]> {
  const originReceipts: OriginReceipt[] = [];
  // Before the proof: what was sent is followed, though the order's deadline may be over.
  for (const item of listOpenItems(run)) await recover(run, item);
  await proveItems();
  for (let [item] = listOpenItems(run); item !== undefined; [item] = listOpenItems(run)) {
    assertNotAborted(run);
    const { length } = run.state.appendedSteps;
    originReceipts.push(...(await executeItem(run, item)));
    if (run.state.appendedSteps.length > length) await proveItems();
  }
  return originReceipts;
}

/**
 * Names the transaction of a same-chain request to the service, which does not search for sends, wraps and unwraps. Their money has
 * moved, so an answer that is lost only delays the end of this run: a later run names the transaction again.
 */
async function nameTransaction(run: Run, { details }: Quote): Promise<void> {
  const { client, items, originChainId: chainId, signal, state } = run;
  const item = items.findLast(isTransaction);
  const txHash = item && findItem(state, item)?.txHash;
  if (txHash === undefined || details.currencyOut?.currency?.chainId !== chainId) return;
  const body = {
    chainId: String(chainId),
    requestId: state.requestId,
    tx: JSON.stringify({ ...item?.data, txHash }),
  };
  const path = "/transactions/single";
  await client
    .request({ body, operation: "naming a transaction", path, safe: true, schema: wireObject({}), signal })
    .catch(() => assertNotAborted(run));
}

async function executeItem(run: Run, item: Item): Promise<readonly OriginReceipt[]> {
  const { batchId } = findItem(run.state, item) ?? {};
  if (batchId !== undefined) return followBatch(run, batchId);
  if (isTransaction(item))
    return (await executeBatch(run, item)) ?? [await executeTransactionItem(run, item)];
  await executeSignatureItem(run, item as SignatureItem);
  return [];
}

/** Looks for what a run requested without a response, in the wallet or on the chain. Signatures are on no chain. */
async function recover(run: Run, item: Item): Promise<void> {
  const entry = findItem(run.state, item);
  if (entry?.status !== "sending") return;
  const { batchId } = entry;
  const read = batchId && readInTime(run, "asking the wallet", readBatch(run, batchId));
  const found = read
    ? await read.then(() => entry).catch(() => undefined)
    : isTransaction(item) && (await recoverTransaction(run, item, entry));
  if (!found) throw refuse(item, "it may be sent; look before sending again");
  run.state = setItem(run.state, item, { ...entry, ...found, status: "sent" });
}
