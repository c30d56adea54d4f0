import {
  type Address,
  concatHex,
  decodeEventLog,
  type Hex,
  isAddressEqual,
  type Log,
  numberToHex,
  pad,
  parseAbi,
  size,
  slice,
  toEventSelector,
  zeroAddress,
} from "viem";
import { relayDepositoryAbi } from "../../src/abi/RelayDepository.ts";
import type { Chain } from "../chains/Chain.ts";
import { type CallFrame, traceCalls } from "./traceCalls.ts";

/** Money that reached the service, with the bytes that say what for. */
export type FoundDeposit = {
  /** Chain, transaction and log: the same money always has the same id. */
  readonly id: string;
  readonly chainId: number;
  readonly txHash: Hex;
  readonly blockNumber: bigint;
  /** An orderId or a requestId. */
  readonly tag: Hex;
  readonly currency: Address;
  readonly amount: bigint;
  /** Everybody who may be called the depositor: the one named, the one who called, the one who signed. */
  readonly depositors: readonly Address[];
};

const transferAbi = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
const forwardedAbi = parseAbi(["event FundsForwardedWithData(bytes data)"]);
const forwardedTopic = toEventSelector(forwardedAbi[0]);
const transferTopic = toEventSelector(transferAbi[0]);
const tagBytes = 32;
/** Selector and arguments of `transfer` and `transferFrom`; a tag follows them. */
const transferCallBytes: Readonly<Record<Hex, number>> = { "0x23b872dd": 100, "0xa9059cbb": 68 };

/**
 * Finds deposits among the logs of some blocks: events of the depository, events of the receiver, and token transfers to
 * the solver or the depository with a tag behind their arguments. The emitting address is what makes an event count.
 */
export async function findDeposits(
  chain: Chain,
  solver: Address,
  range: { fromBlock: bigint; toBlock: bigint },
): Promise<readonly FoundDeposit[]> {
  const { contracts, currencies } = chain;
  const tokens = currencies.filter(({ address }) => address !== zeroAddress).map(({ address }) => address);
  const logs = await chain.client.getLogs({
    address: [contracts.depository, contracts.relayReceiver, ...tokens],
    ...range,
  });
  const found: FoundDeposit[] = [];
  for (const log of logs) {
    const deposit = await depositOf(chain, solver, log);
    if (deposit !== undefined) found.push(deposit);
  }
  return found;
}

async function depositOf(chain: Chain, solver: Address, log: Log<bigint, number, false>) {
  if (isAddressEqual(log.address, chain.contracts.depository)) return depositoryDeposit(chain, log);
  if (isAddressEqual(log.address, chain.contracts.relayReceiver)) return receiverDeposit(chain, log);
  if (log.topics[0] === transferTopic) return transferDeposit(chain, solver, log);
  return undefined;
}

async function depositoryDeposit(
  chain: Chain,
  log: Log<bigint, number, false>,
): Promise<FoundDeposit | undefined> {
  const event = decodeEventLog({
    abi: relayDepositoryAbi,
    data: log.data,
    strict: false,
    topics: log.topics,
  });
  const { from: signer } = await traceCalls(chain, log.transactionHash);
  if (event.eventName === "RelayNativeDeposit") {
    const { amount, from, id } = event.args;
    if (from === undefined || amount === undefined || id === undefined) return undefined;
    return found(chain, log, { amount, currency: zeroAddress, depositors: [from, signer], tag: id });
  }
  if (event.eventName === "RelayErc20Deposit") {
    const { amount, from, id, token } = event.args;
    if (from === undefined || amount === undefined || id === undefined || token === undefined)
      return undefined;
    return found(chain, log, { amount, currency: lower(token), depositors: [from, signer], tag: id });
  }
  return undefined;
}

/** The receiver's event has the data but not the amount, which only the call that brought it knows. */
async function receiverDeposit(
  chain: Chain,
  log: Log<bigint, number, false>,
): Promise<FoundDeposit | undefined> {
  if (log.topics[0] !== forwardedTopic) return undefined;
  const { args } = decodeEventLog({ abi: forwardedAbi, data: log.data, topics: log.topics });
  if (size(args.data) !== tagBytes) return undefined;
  const trace = await traceCalls(chain, log.transactionHash);
  const call = trace.calls.find(
    ({ input, to, value }) =>
      isAddressEqual(to, chain.contracts.relayReceiver) && value > 0n && input.includes(args.data.slice(2)),
  );
  if (call === undefined) return undefined;
  return found(chain, log, {
    amount: call.value,
    currency: zeroAddress,
    depositors: [call.from, trace.from],
    tag: args.data,
  });
}

async function transferDeposit(
  chain: Chain,
  solver: Address,
  log: Log<bigint, number, false>,
): Promise<FoundDeposit | undefined> {
  const { args } = decodeEventLog({ abi: transferAbi, data: log.data, topics: log.topics });
  const reachesService = [solver, chain.contracts.depository].some((address) =>
    isAddressEqual(address, args.to),
  );
  if (!reachesService || args.value === 0n) return undefined;
  const trace = await traceCalls(chain, log.transactionHash);
  const call = trace.calls.find(
    ({ input, to }) =>
      isAddressEqual(to, log.address) && tagOf(input) !== undefined && movesTo(input, args.to, args.value),
  );
  const tag = call === undefined ? undefined : tagOf(call.input);
  if (call === undefined || tag === undefined) return undefined;
  return found(chain, log, {
    amount: args.value,
    currency: lower(log.address),
    depositors: [args.from, call.from, trace.from],
    tag,
  });
}

/** Whether a transfer's last two arguments are this recipient and amount: several transfers may share a transaction. */
function movesTo(input: Hex, recipient: Address, amount: bigint): boolean {
  const end = transferCallBytes[input.slice(0, 10) as Hex] ?? 0;
  return (
    slice(input, end - 64, end) === concatHex([pad(lower(recipient)), numberToHex(amount, { size: 32 })])
  );
}

/** The 32 bytes behind a standard transfer, unless they begin with 16 zero bytes, which the service takes for padding. */
function tagOf(input: CallFrame["input"]): Hex | undefined {
  const argumentBytes = transferCallBytes[input.slice(0, 10) as Hex];
  if (argumentBytes === undefined || size(input) < argumentBytes + tagBytes) return undefined;
  const tag = slice(input, argumentBytes, argumentBytes + tagBytes);
  return /^0x0{32}/.test(tag) ? undefined : tag;
}

type Particulars = Pick<FoundDeposit, "tag" | "currency" | "amount" | "depositors">;

function found(chain: Chain, log: Log<bigint, number, false>, particulars: Particulars): FoundDeposit {
  return {
    ...particulars,
    blockNumber: log.blockNumber,
    chainId: chain.definition.id,
    depositors: particulars.depositors.map(lower),
    id: `${chain.definition.id}:${log.transactionHash}:${log.logIndex}`,
    tag: lower(particulars.tag),
    txHash: log.transactionHash,
  };
}

function lower<Value extends Hex>(value: Value): Value {
  return value.toLowerCase() as Value;
}
