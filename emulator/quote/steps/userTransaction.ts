import {
  type Address,
  concatHex,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  zeroAddress,
} from "viem";
import type { RouterVersion } from "../../chains/Chain.ts";
import { addressWord, hasCode } from "../../chains/rpc.ts";
import type { IntentCall } from "../../requests/Intent.ts";
import { transferCall } from "../../router/fillCall.ts";
import {
  approvalProxyOf,
  exchangeCalls,
  type Places,
  payCalls,
  type RouterWork,
  routerOf,
  routerTransaction,
  type Transaction,
} from "../../router/routerCalls.ts";
import { isLeg, isSwap, pathOf } from "../../router/SwapLeg.ts";
import type { PricedRoute } from "../route/planRoute.ts";

const withdrawAbi = parseAbi(["function withdraw(uint256 amount)"]);
/** Gas limit of a swap through proxy, router and pool, which uses less than two thirds of it. */
export const swapGas = 400_000n;
/** Gas limit of a deposit, transfer, wrap or unwrap. Even the first write of a balance uses less than two thirds of it. */
const directGas = 150_000n;
const wrapSelector = "0xd0e30db0";

/** Ids, counterparty and deadline of the transaction. */
export type UserTransactionContext = {
  readonly requestId: Hex;
  readonly orderId: Hex;
  readonly solver: Address;
  /** Deadline of swaps in unix seconds of the origin chain. */
  readonly deadline: bigint;
};

export type UserTransaction = Transaction & {
  /** Account that needs an allowance for the input. */
  readonly spender: Address | undefined;
  /** Gas limit with a margin: the first trade of a pool in a second takes more than later ones. */
  readonly gas: bigint;
};

type Priced = PricedRoute & {
  /** Gas of the router's transaction if it was simulated, else zero. */
  readonly sameChainGas: bigint;
};

/** Placeholder id where only the kind of the transaction matters. */
const anyId: Hex = `0x${"11".repeat(32)}`;

/** The user's transaction on the origin chain. */
export async function userTransaction(
  priced: Priced,
  context: UserTransactionContext,
): Promise<UserTransaction> {
  if (priced.route.via === "self") return sameChainTransaction(priced, context);
  return isLeg(priced.route.origin) ? swapAndDeposit(priced, context) : deposit(priced, context);
}

/**
 * Deposits by the overload with an amount: the other one takes the whole allowance, which another deposit may need. If the
 * request allows it, tokens are transferred with the orderId appended (service facts, "Contracts"), without an approval.
 * Native currency is always deposited, because a transfer of it leaves no event. Version 1 of the protocol pays the solver.
 */
function deposit(
  { amounts, read }: Priced,
  { orderId, requestId, solver }: UserTransactionContext,
): UserTransaction {
  const { currencyIn, explicitDeposit, origin, protocolVersion, user } = read;
  if (protocolVersion === "v1") {
    const payment = { amount: amounts.amountIn, currency: currencyIn.address, tag: requestId };
    return { ...transferCall({ ...payment, recipient: solver }), gas: directGas, spender: undefined };
  }
  const isNative = currencyIn.address === zeroAddress;
  const { depository } = origin.contracts;
  if (!explicitDeposit && !isNative) {
    const payment = { amount: amounts.amountIn, currency: currencyIn.address, tag: orderId };
    return { ...transferCall({ ...payment, recipient: depository }), gas: directGas, spender: undefined };
  }
  return {
    data: depositData({
      amount: amounts.amountIn,
      currency: currencyIn.address,
      depositor: user,
      id: orderId,
    }),
    gas: directGas,
    spender: isNative ? undefined : depository,
    to: depository,
    value: isNative ? amounts.amountIn : 0n,
  };
}

function swapAndDeposit(priced: Priced, context: UserTransactionContext): UserTransaction {
  const { read, routerVersion } = priced;
  return routed(priced, routerTransaction(depositWork(priced, context), read.origin, routerVersion));
}

/** The router's work of a deposit: a swap if the solver does not take the input's currency, then the deposit. */
export function depositWork(
  { amounts, read, route, routerVersion }: PricedRoute,
  { deadline, orderId, requestId }: UserTransactionContext,
): RouterWork {
  const { currencyIn, origin, user } = read;
  const currency = route.origin.to.address;
  const isSwapped = isLeg(route.origin);
  // The pool must give the whole deposit of an exact output, and the user gets back the rest of the payment.
  const isExact = read.tradeType === "EXACT_OUTPUT" || !isSwap(route.origin);
  const swap = isSwapped
    ? exchangeCalls(
        {
          amountIn: amounts.amountIn,
          change: user,
          deadline,
          output: isExact ? { exactly: amounts.deposit } : { atLeast: amounts.minimumDeposit },
          path: pathOf(route.origin),
          to: routerOf(origin, routerVersion),
        },
        origin,
        routerVersion,
      )
    : [];
  // A variable output of a pool is unknown in advance. Any other deposit leaves funds that others left here.
  const amount = isExact ? amounts.deposit : undefined;
  const deposited = { amount, currency, depositor: user, id: orderId };
  return {
    amount: amounts.amountIn,
    calls: [...swap, depositCall(deposited, origin, routerVersion)],
    currency: currencyIn.address,
    nftRecipient: user,
    refundTo: user,
    requestId,
  };
}

/** Pays the fees, swaps, delivers and makes the calls in one transaction. */
async function sameChainTransaction(
  priced: Priced,
  context: UserTransactionContext,
): Promise<UserTransaction> {
  const { sameChainGas, read, routerVersion } = priced;
  const direct = await directTransaction(priced, context.requestId);
  const limit = read.depositGasLimit === undefined ? undefined : { gas: BigInt(read.depositGasLimit) };
  if (direct !== undefined) return { ...direct, gas: directGas, spender: undefined, ...limit };
  const transaction = routerTransaction(sameChainWork(priced, context), read.origin, routerVersion);
  return { ...routed(priced, transaction, sameChainGas), ...limit };
}

/** Whether the same-chain transaction needs no router. */
export async function isDirect(priced: PricedRoute): Promise<boolean> {
  return (await directTransaction(priced, anyId)) !== undefined;
}

/** The router's work of a same-chain request: fees, swap, payment and calls. */
export function sameChainWork(priced: PricedRoute, context: UserTransactionContext): RouterWork {
  const { amounts, read, route, routerVersion } = priced;
  const { currencyIn, origin, recipient, txs } = read;
  const fees = amounts.amountIn - amounts.netIn;
  const fixed = read.tradeType === "EXACT_OUTPUT";
  const exchange = exchangeCalls(
    {
      amountIn: amounts.inventory,
      change: read.user,
      deadline: context.deadline,
      output: fixed ? { exactly: amounts.amountOut } : { atLeast: amounts.minimumOut },
      path: isLeg(route.destination) ? pathOf(route.destination) : [currencyIn.address],
      to: txs.length === 0 ? recipient : routerOf(origin, routerVersion),
    },
    origin,
    routerVersion,
  );
  return {
    amount: amounts.amountIn,
    calls: [
      ...payCalls(currencyIn.address, fees, context.solver, origin, routerVersion),
      ...exchange,
      ...txs,
    ],
    currency: currencyIn.address,
    nftRecipient: recipient,
    refundTo: recipient,
    requestId: context.requestId,
  };
}

/** The transaction without a router, with the requestId appended to its calldata; `undefined` if it needs a router. */
async function directTransaction(
  { amounts, read }: PricedRoute,
  requestId: Hex,
): Promise<Transaction | undefined> {
  const { currencyIn, kind, origin, recipient, txs, user } = read;
  const fees = amounts.amountIn - amounts.netIn;
  if (fees !== 0n || txs.length > 0) return undefined;
  const { wrappedNative } = origin.swap;
  const { amountIn } = amounts;
  if (kind === "Send") {
    const { address: currency } = currencyIn;
    // A contract may accept native currency but reject calldata.
    if (currency === zeroAddress && (await hasCode(origin, recipient))) return undefined;
    return transferCall({ amount: amountIn, currency, recipient, tag: requestId });
  }
  if (recipient !== user) return undefined;
  if (kind === "Wrap") {
    return { data: concatHex([wrapSelector, requestId]), to: wrappedNative, value: amountIn };
  }
  if (kind !== "Unwrap") return undefined;
  const withdraw = encodeFunctionData({ abi: withdrawAbi, args: [amountIn], functionName: "withdraw" });
  return { data: concatHex([withdraw, requestId]), to: wrappedNative, value: 0n };
}

function routed(
  { read, routerVersion }: PricedRoute,
  transaction: Transaction,
  needed = 0n,
): UserTransaction {
  const isNative = read.currencyIn.address === zeroAddress;
  return {
    ...transaction,
    gas: swapGas + needed,
    spender: isNative ? undefined : approvalProxyOf(read.origin, routerVersion),
  };
}

const spendAbi = parseAbi([
  "function cleanupErc20sViaCall(address[] tokens, address[] tos, bytes[] datas, uint256[] amounts)",
  "function cleanupNativeViaCall(uint256 amount, address to, bytes data)",
]);

/** The router's call that deposits an amount, or its whole balance, into the depository. */
function depositCall(deposit: DepositParameters, places: Places, routerVersion: RouterVersion): IntentCall {
  const { depository } = places.contracts;
  const { amount = 0n, currency } = deposit;
  const data = depositData(deposit);
  return {
    data:
      currency === zeroAddress
        ? encodeFunctionData({
            abi: spendAbi,
            args: [amount, depository, data],
            functionName: "cleanupNativeViaCall",
          })
        : encodeFunctionData({
            abi: spendAbi,
            args: [[currency], [depository], [data], [amount]],
            functionName: "cleanupErc20sViaCall",
          }),
    to: routerOf(places, routerVersion),
    value: 0n,
  };
}

const depositNative = "0x49290c1c";
const depositErc20 = "0xe8017952";
const depositErc20Allowed = "0x5a1ee3ac";

type DepositParameters = {
  readonly depositor: Address;
  readonly currency: Address;
  /** Smallest units. @default the whole allowance of a token; the value of native currency */
  readonly amount?: bigint | undefined;
  /** The orderId. */
  readonly id: Hex;
};

/** Calldata of a deposit into the depository. */
export function depositData({ amount, currency, depositor, id }: DepositParameters): Hex {
  const head = addressWord(depositor);
  if (currency === zeroAddress) return `${depositNative}${head}${id.slice(2)}`;
  const token = addressWord(currency);
  if (amount === undefined) return `${depositErc20Allowed}${head}${token}${id.slice(2)}`;
  return `${depositErc20}${head}${token}${numberToHex(amount, { size: 32 }).slice(2)}${id.slice(2)}`;
}
