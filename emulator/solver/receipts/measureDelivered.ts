import { type Address, decodeEventLog, isAddressEqual, parseAbi, toEventSelector, zeroAddress } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { type Intent, parseIntent } from "../../requests/Intent.ts";
import { sentTransaction } from "../../requests/record/sentTransaction.ts";
import { planDelivery } from "../../router/planDelivery.ts";
import type { DepositRow, StoreTransaction, TransactionRow } from "../../store/tables.ts";
import type { MinedLog, Topics } from "./readBlocks.ts";

/** Addresses of a chain whose events count. */
type Places = Pick<Chain, "contracts" | "swap">;

const swapAbi = parseAbi([
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
]);
const transfersAbi = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event SolverNativeTransfer(address to, uint256 amount)",
]);
const [transferTopic, nativeTransferTopic] = transfersAbi.map(toEventSelector);
const swapTopic = toEventSelector(swapAbi[0]);

/** Measures the output of a fill or refund, in smallest units; `undefined` where its calldata states it. */
export async function measureDelivered(
  transaction: StoreTransaction,
  { chain_id, kind, raw, request_id }: TransactionRow,
  deposit: Pick<DepositRow, "amount" | "currency">,
  { logs }: { readonly logs: readonly MinedLog[] },
  chains: Context["chains"],
): Promise<bigint | undefined> {
  const { intent } = await transaction
    .selectFrom("requests")
    .select("intent")
    .where("id", "=", request_id)
    .executeTakeFirstOrThrow();
  const chain = chains.get(chain_id);
  if (chain === undefined) throw new Error(`chain ${chain_id} is not configured`);
  const sent = sentTransaction({ chain_id, raw }, { chains });
  if (kind === "fill") {
    // The signed amount counts: a reorg may have changed the deposit since.
    return (
      sent?.transfer?.amount ?? deliveredByFill(parseIntent(intent), BigInt(deposit.amount), chain, logs)
    );
  }
  const currency = deposit.currency as Address;
  const refund = { currency, isTransfer: sent?.transfer !== undefined, value: sent?.value ?? 0n };
  return deliveredByRefund(parseIntent(intent), refund, chain, logs);
}

/**
 * Measures the output of a fill, in smallest units of the destination's currency: by the chain's events, or by the
 * amount sent where native currency emits none.
 */
function deliveredByFill(
  intent: Intent,
  deposited: bigint,
  chain: Places,
  logs: readonly MinedLog[],
): bigint {
  const delivery = planDelivery(intent, deposited);
  if (!("inventory" in delivery)) return intent.destination.amount;
  const sent = "exactly" in delivery.output ? delivery.output.exactly : delivery.inventory;
  const { destination, fill } = intent;
  const currencies = [fill.currency, destination.currency];
  const exchanges = exchangesIn(chain, currencies, logs);
  // The recipient's code runs after the swap, and may swap on the same pool. The solver's amount tells the two
  // apart.
  const own = exchanges.find((each) =>
    "exactly" in delivery.output ? each.out === sent : each.in === delivery.inventory,
  );
  const expected = (destination.amount * deposited) / intent.deposit.amount;
  return arrived(intent, chain, logs) ?? (own ?? nearest(exchanges, expected))?.out ?? sent;
}

/** Measures the input and output of a user's own transaction: a swap to a fixed output returns change. */
export function movedOnSameChain(
  intent: Intent,
  chain: Places,
  logs: readonly MinedLog[],
): { readonly paid: bigint; readonly delivered: bigint } {
  const { destination, origin, tradeType, user } = intent;
  const currencies = [origin.currency, destination.currency];
  const delivered = nearest(exchangesIn(chain, currencies, logs), destination.amount)?.out;
  const hasChange = delivered !== undefined && tradeType === "EXACT_OUTPUT";
  const back = hasChange ? sum(transfersTo(user, origin.currency, chain, logs)) : 0n;
  // An amount above the payment is not change: the user's own calls can move any money.
  const change = back > origin.amount ? 0n : back;
  return { delivered: delivered ?? destination.amount, paid: origin.amount - change };
}

/** Sums the token transfers to the recipient; `undefined` for native currency, and where calls spend it. */
function arrived(
  { destination, recipient, txs }: Intent,
  chain: Places,
  logs: readonly MinedLog[],
): bigint | undefined {
  if (txs.length > 0 || isAddressEqual(destination.currency, zeroAddress)) return undefined;
  const amounts = transfersTo(recipient, destination.currency, chain, logs);
  return amounts.length === 0 ? undefined : sum(amounts);
}

/** Transfers of a currency to an account; native ones only from the service's routers. */
function transfersTo(
  account: Address,
  currency: Address,
  { contracts }: Places,
  logs: readonly MinedLog[],
): readonly bigint[] {
  const isNative = isAddressEqual(currency, zeroAddress);
  const topic = isNative ? nativeTransferTopic : transferTopic;
  // Any contract can emit such an event: it counts only from the expected emitter.
  const emitters = isNative ? [contracts.erc20Router, contracts.v3.erc20Router] : [currency];
  return logs
    .filter(
      ({ address, topics }) => topics[0] === topic && emitters.some((each) => isAddressEqual(each, address)),
    )
    .map(({ data, topics }) => decodeEventLog({ abi: transfersAbi, data, topics: topics as Topics }).args)
    .filter(({ to }) => isAddressEqual(to, account))
    .map((args) => ("value" in args ? args.value : args.amount));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/**
 * Measures a refund through a pool, or by wrapping native currency sent with it. `undefined` where the deposit
 * itself was transferred.
 */
function deliveredByRefund(
  intent: Intent,
  refund: { readonly currency: Address; readonly value: bigint; readonly isTransfer: boolean },
  chain: Pick<Chain, "swap">,
  logs: readonly MinedLog[],
): bigint | undefined {
  if (refund.isTransfer) return undefined;
  const currencies = [refund.currency, intent.origin.currency];
  // The payee's code runs after the swap, and may swap on the same pool: the first swap counts.
  return exchangesIn(chain, currencies, logs)[0]?.out ?? refund.value;
}

/** Measures the input of a swap into a deposit: the swap whose output equals the deposit. */
export function swappedInto(
  { amount, currency }: { readonly amount: bigint; readonly currency: Address },
  { swap }: Pick<Chain, "swap">,
  logs: readonly MinedLog[],
): bigint | undefined {
  const token = isAddressEqual(currency, zeroAddress) ? swap.wrappedNative : currency;
  for (const { tokens, address } of swap.pairs) {
    if (!tokens.some((each) => isAddressEqual(each, token))) continue;
    const found = swapsIn(address, logs)
      .map((args) => amountsOf(args, isAddressEqual(token, tokens[0])))
      .find(({ out }) => out === amount);
    if (found !== undefined) return found.in;
  }
  return undefined;
}

type Exchanged = { readonly in: bigint; readonly out: bigint };

/**
 * Decodes the swaps between two currencies, in order. The pool's event counts, because native output emits no
 * transfer.
 */
function exchangesIn(
  { swap }: Pick<Chain, "swap">,
  currencies: readonly Address[],
  logs: readonly MinedLog[],
): readonly Exchanged[] {
  const tokens = currencies.map((each) => (isAddressEqual(each, zeroAddress) ? swap.wrappedNative : each));
  const pair = swap.pairs.find((each) =>
    tokens.every((token) => each.tokens.some((other) => isAddressEqual(token, other))),
  );
  const [first, second] = tokens;
  if (pair === undefined || first === undefined || second === undefined || isAddressEqual(first, second)) {
    return [];
  }
  const isFirst = isAddressEqual(second, pair.tokens[0]);
  return swapsIn(pair.address, logs).map((args) => amountsOf(args, isFirst));
}

/**
 * The exchange whose output is nearest to the expected one: a wallet may execute several requests in one
 * transaction, and the user's own calls may follow.
 */
function nearest(exchanges: readonly Exchanged[], expected: bigint): Exchanged | undefined {
  const distance = ({ out }: Exchanged) => (out < expected ? expected - out : out - expected);
  return exchanges.reduce<Exchanged | undefined>(
    (best, each) => (best === undefined || distance(each) < distance(best) ? each : best),
    undefined,
  );
}

type SwapArgs = ReturnType<typeof decodeSwap>;

function swapsIn(pair: Address, logs: readonly MinedLog[]): readonly SwapArgs[] {
  return logs
    .filter(({ address, topics }) => topics[0] === swapTopic && isAddressEqual(address, pair))
    .map(decodeSwap);
}

function decodeSwap({ data, topics }: MinedLog) {
  return decodeEventLog({ abi: swapAbi, data, topics: topics as Topics }).args;
}

/** @param isFirst Whether the pool gave its first token. */
function amountsOf({ amount0In, amount0Out, amount1In, amount1Out }: SwapArgs, isFirst: boolean): Exchanged {
  return isFirst ? { in: amount1In, out: amount0Out } : { in: amount0In, out: amount1Out };
}
