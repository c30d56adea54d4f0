import {
  type Address,
  concatHex,
  decodeEventLog,
  type Hex,
  isAddressEqual,
  numberToHex,
  pad,
  parseAbi,
  size,
  slice,
  toEventSelector,
  toFunctionSelector,
  zeroAddress,
} from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import type { Chain } from "../../chains/Chain.ts";
import { hasCode, wasSuccessful } from "../../chains/rpc.ts";
import type { LogEntry } from "../../log/LogEntry.ts";
import type { BlockTransaction, Log, Topics } from "./readBlocks.ts";
import { type CallFrame, traceCalls } from "./traceCalls.ts";

/** The account that is paid, and the log for payments that cannot be read. */
export type FindContext = { readonly solver: Address; readonly log: (entry: LogEntry) => void };

/**
 * Where a payment arrived. The depository identifies it by an orderId, the solver by a requestId (service
 * facts, "Contracts": the deposit `id` is the orderId).
 */
export type PaidTo = "depository" | "solver";

/** A payment to the service in one transaction. */
export type Payment = {
  readonly paidTo: PaidTo;
  readonly tag: Hex;
  readonly currency: Address;
  readonly amount: bigint;
  readonly depositors: readonly Address[];
};

const transferAbi = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
const forwardedAbi = parseAbi(["event FundsForwardedWithData(bytes data)"]);
const forwardedTopic = toEventSelector(forwardedAbi[0]);
const transferTopic = toEventSelector(transferAbi[0]);
/** The receiver's function for the solver itself: it forwards nothing and emits no event. */
const makeCallsSelector = toFunctionSelector("makeCalls((address,bytes,uint256)[])");
/** A selector and one word. Most plain transfers have less, so code is looked up only for longer calldata. */
const leastForwardingBytes = 36;

/**
 * A transaction with its logs. Its calls are traced only when needed, because tracing is by far the slowest request.
 */
type Subject = {
  readonly chain: Chain;
  readonly context: FindContext;
  readonly transaction: BlockTransaction;
  readonly logs: readonly Log[];
  /** The signer's call; undefined for a contract creation. */
  readonly outermost: CallFrame | undefined;
  calls(): Promise<readonly CallFrame[]>;
  /** Calls already matched with a payment. */
  readonly spent: Set<CallFrame>;
};

/** Decodes the payments of a transaction: first those with events, in the order of the events. */
export async function decodePayments(
  chain: Chain,
  transaction: BlockTransaction,
  logs: readonly Log[],
  context: FindContext,
): Promise<readonly Payment[]> {
  let traced: Promise<readonly CallFrame[]> | undefined;
  const calls = () => {
    traced ??= callsOf(chain, transaction, context);
    return traced;
  };
  const { from, input, to, value } = transaction;
  const outermost = to ? { from, input, to, value } : undefined;
  const subject: Subject = { calls, chain, context, logs, outermost, spent: new Set(), transaction };
  const payments: Payment[] = [];
  for (const log of logs) {
    const payment = await paymentOf(subject, log);
    if (payment !== undefined) payments.push(payment);
  }
  payments.push(...(await directPayments(subject)));
  return payments;
}

async function callsOf(chain: Chain, { hash }: BlockTransaction, { log }: FindContext) {
  const calls = await traceCalls(chain, hash);
  if (calls === undefined) {
    const message = `${chain.definition.name} cannot trace: payments inside transaction ${hash} are not found`;
    log({ level: "error", message });
  }
  return calls ?? [];
}

async function paymentOf(subject: Subject, log: Log): Promise<Payment | undefined> {
  const { depository, relayReceiver } = subject.chain.contracts;
  if (isAddressEqual(log.address, depository)) return depositoryPayment(subject, log);
  if (isAddressEqual(log.address, relayReceiver)) return receiverPayment(subject, log);
  if (log.topics[0] === transferTopic && log.topics.length === 3) return transferPayment(subject, log);
  return undefined;
}

/** Decodes a deposit from the depository's event, which lacks only the signer: the transaction's sender. */
function depositoryPayment({ transaction }: Subject, log: Log): Payment | undefined {
  const event = decodeEventLog({
    abi: relayDepositoryAbi,
    data: log.data,
    strict: false,
    topics: log.topics as Topics,
  });
  if (event.eventName === "RelayNativeDeposit") {
    const { amount, from, id } = event.args;
    if (from === undefined || amount === undefined || id === undefined) return undefined;
    return {
      amount,
      currency: zeroAddress,
      depositors: [from, transaction.from],
      paidTo: "depository",
      tag: id,
    };
  }
  if (event.eventName === "RelayErc20Deposit") {
    const { amount, from, id, token } = event.args;
    if (from === undefined || amount === undefined || id === undefined || token === undefined) {
      return undefined;
    }
    return { amount, currency: token, depositors: [from, transaction.from], paidTo: "depository", tag: id };
  }
  return undefined;
}

/** Decodes a payment through the receiver. Its event has the data; the call that paid it has the amount. */
async function receiverPayment(subject: Subject, log: Log): Promise<Payment | undefined> {
  const { chain, logs, transaction } = subject;
  if (log.topics[0] !== forwardedTopic) return undefined;
  const { args } = decodeEventLog({ abi: forwardedAbi, data: log.data, topics: log.topics as Topics });
  if (!isTag(args.data)) return undefined;
  const receiver = chain.contracts.relayReceiver;
  const payment = { currency: zeroAddress, paidTo: "solver", tag: args.data } as const;
  const isForwarding = !transaction.input.startsWith(makeCallsSelector);
  if (transaction.to && isAddressEqual(transaction.to, receiver) && isForwarding) {
    if (transaction.value === 0n) return undefined;
    return { ...payment, amount: transaction.value, depositors: [transaction.from] };
  }
  // Each forwarding call emits one event, in the same order.
  const calls = (await subject.calls()).filter(
    ({ input, to }) => isAddressEqual(to, receiver) && !input.startsWith(makeCallsSelector),
  );
  const events = logs.filter(
    ({ address, topics }) => isAddressEqual(address, receiver) && topics[0] === forwardedTopic,
  );
  const call = calls[events.indexOf(log)];
  if (call === undefined || call.value === 0n || !call.input.includes(args.data.slice(2))) return undefined;
  return { ...payment, amount: call.value, depositors: [call.from, transaction.from] };
}

/** Decodes a token transfer. Its event has the amount; the call to the token has the tag. */
async function transferPayment(subject: Subject, log: Log): Promise<Payment | undefined> {
  const { chain, context, logs, outermost, spent, transaction } = subject;
  const { args } = decodeEventLog({ abi: transferAbi, data: log.data, topics: log.topics as Topics });
  const { depository } = chain.contracts;
  const isForService = [context.solver, depository].some((address) => isAddressEqual(address, args.to));
  if (!isForService || args.value === 0n) return undefined;
  // Tokens that the depository pulls carry no tag: its own event identifies the payment.
  if (transaction.to && isAddressEqual(transaction.to, depository)) return undefined;
  const isDirect = outermost !== undefined && isAddressEqual(outermost.to, log.address);
  // One call with one transfer to the service matches that transfer, whatever fee the token took.
  const isOnly = logs.filter((each) => isSameTransfer(each, log)).length === 1;
  const amount = isDirect && isOnly ? undefined : args.value;
  const call = (isDirect ? [outermost] : await subject.calls()).find(
    (each) =>
      !spent.has(each) &&
      isAddressEqual(each.to, log.address) &&
      readRequestTag(each.input) !== undefined &&
      movesTo(each.input, args.to, amount),
  );
  const tag = call === undefined ? undefined : readRequestTag(call.input);
  if (call === undefined || tag === undefined) return undefined;
  spent.add(call);
  return {
    amount: args.value,
    currency: log.address,
    depositors: [args.from, call.from, transaction.from],
    paidTo: isAddressEqual(depository, args.to) ? "depository" : "solver",
    tag,
  };
}

function isSameTransfer(one: Log, other: Log): boolean {
  return (
    isAddressEqual(one.address, other.address) &&
    one.topics[0] === other.topics[0] &&
    one.topics[2] === other.topics[2]
  );
}

/** Decodes native payments to the solver itself, which emit no event. */
async function directPayments(subject: Subject): Promise<readonly Payment[]> {
  const { chain, context, transaction } = subject;
  const { from, hash, input, to, value } = transaction;
  if (isAddressEqual(from, context.solver)) return [];
  if (to && isAddressEqual(to, context.solver)) {
    // The solver may have code, and its code can revert.
    if (value === 0n || !isTag(input) || (await wasSuccessful(chain.rpc, hash)) !== true) return [];
    return [{ amount: value, currency: zeroAddress, depositors: [from], paidTo: "solver", tag: input }];
  }
  // A contract may have stored the tag earlier; only an account without code needs it in the calldata.
  const isSilent =
    to && (isQuiet(chain, to) || (size(input) < leastForwardingBytes && !(await hasCode(chain, to))));
  if (isSilent) return [];
  const calls = (await subject.calls()).filter(
    (call) => isAddressEqual(call.to, context.solver) && call.value > 0n && isTag(call.input),
  );
  return calls.map((call) => ({
    amount: call.value,
    currency: zeroAddress,
    depositors: [call.from, from],
    paidTo: "solver" as const,
    tag: call.input,
  }));
}

/**
 * Whether a contract never sends native currency to an account that the caller chooses. Uniswap's router and
 * pairs do.
 */
function isQuiet({ contracts, currencies, swap }: Chain, to: Address): boolean {
  const quiet = [
    contracts.depository,
    contracts.permit2,
    contracts.relayReceiver,
    swap.factory,
    ...currencies.map(({ address }) => address),
  ];
  return quiet.some((address) => isAddressEqual(address, to));
}

const tagBytes = 32;
/** Bytes of a call of `transfer` or `transferFrom`; a tag follows them. */
const transferCallBytes: Readonly<Record<Hex, number>> = { "0x23b872dd": 100, "0xa9059cbb": 68 };

/** Whether data consists of exactly one tag. */
function isTag(data: Hex): boolean {
  return size(data) === tagBytes;
}

/**
 * Reads the 32 bytes after a standard transfer. Bytes that begin with 16 zeros count as padding, not as a tag.
 */
function readRequestTag(input: Hex): Hex | undefined {
  const argumentBytes = transferCallBytes[input.slice(0, 10) as Hex];
  if (argumentBytes === undefined || size(input) < argumentBytes + tagBytes) return undefined;
  const tag = slice(input, argumentBytes, argumentBytes + tagBytes);
  return /^0x0{32}/.test(tag) ? undefined : tag;
}

/**
 * Whether a transfer's last two arguments are this recipient and amount: several transfers may share a
 * transaction.
 *
 * @param amount Omitted to accept any amount: a token with a fee on transfer delivers less than the call says.
 */
function movesTo(input: Hex, recipient: Address, amount?: bigint): boolean {
  const end = transferCallBytes[input.slice(0, 10) as Hex];
  if (end === undefined || size(input) < end) return false;
  const to = pad(recipient.toLowerCase() as Hex);
  const expected = amount === undefined ? to : concatHex([to, numberToHex(amount, { size: 32 })]);
  return slice(input, end - 64, end)
    .toLowerCase()
    .startsWith(expected);
}
