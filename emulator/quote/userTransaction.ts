import { type Address, concatHex, encodeFunctionData, type Hex, parseAbi, zeroAddress } from "viem";
import { hasCode } from "../chains/hasCode.ts";
import { transferCall } from "../solver/fillCall.ts";
import type { IntentCall } from "../store/Intent.ts";
import { depositData } from "./depositData.ts";
import { isLeg, pathOf } from "./Leg.ts";
import type { PricedIntent } from "./priceIntent.ts";
import { approvalProxyOf, exchangeCalls, payCalls, routerOf } from "./routerCalls.ts";
import { routerTransaction, type Transaction } from "./routerTransaction.ts";

const spendAbi = parseAbi([
  "function cleanupErc20sViaCall(address[] tokens, address[] tos, bytes[] datas, uint256[] amounts)",
  "function cleanupNativeViaCall(uint256 amount, address to, bytes data)",
]);
const withdrawAbi = parseAbi(["function withdraw(uint256 amount)"]);
const wrapSelector = "0xd0e30db0";

/** What the transaction is for, and for how long. */
export type UserTransactionContext = {
  readonly requestId: Hex;
  readonly orderId: Hex;
  readonly solver: Address;
  /** Unix seconds of the origin chain, for swaps. */
  readonly deadline: bigint;
};

/** The user's transaction, and who must be approved to take the input for it. */
export type UserTransaction = Transaction & { readonly spender: Address | undefined };

type Priced = Omit<PricedIntent, "fees" | "details">;

/** What the user sends on the origin chain. */
export async function userTransaction(
  priced: Priced,
  context: UserTransactionContext,
): Promise<UserTransaction> {
  if (priced.route.via === "self") return ownTransaction(priced, context);
  return isLeg(priced.route.origin) ? swapAndDeposit(priced, context) : deposit(priced, context);
}

/** The explicit-amount overload: the other one takes the whole allowance, which another deposit may count on. */
function deposit({ amounts, read }: Priced, { orderId }: UserTransactionContext): UserTransaction {
  const { currencyIn, origin, user } = read;
  const isNative = currencyIn.address === zeroAddress;
  const { depository } = origin.contracts;
  return {
    data: depositData({
      amount: amounts.amountIn,
      currency: currencyIn.address,
      depositor: user,
      id: orderId,
    }),
    spender: isNative ? undefined : depository,
    to: depository,
    value: isNative ? amounts.amountIn : 0n,
  };
}

/** Swaps on the router, and deposits all that it holds then. */
function swapAndDeposit(priced: Priced, context: UserTransactionContext): UserTransaction {
  const { amounts, read, route, routerVersion } = priced;
  const { deadline, orderId, requestId } = context;
  const { currencyIn, origin, user } = read;
  const router = routerOf(origin, routerVersion);
  const { depository } = origin.contracts;
  const deposited = route.origin.to.address;
  const data = depositData({ currency: deposited, depositor: user, id: orderId });
  const spend: IntentCall = {
    data:
      deposited === zeroAddress
        ? encodeFunctionData({
            abi: spendAbi,
            args: [0n, depository, data],
            functionName: "cleanupNativeViaCall",
          })
        : encodeFunctionData({
            abi: spendAbi,
            args: [[deposited], [depository], [data], [0n]],
            functionName: "cleanupErc20sViaCall",
          }),
    to: router,
    value: 0n,
  };
  const swap = exchangeCalls(
    {
      amountIn: amounts.amountIn,
      change: user,
      deadline,
      output: { atLeast: amounts.minimumDeposit },
      path: pathOf(route.origin),
      to: router,
    },
    origin,
    routerVersion,
  );
  const work = {
    amount: amounts.amountIn,
    calls: [...swap, spend],
    currency: currencyIn.address,
    nftRecipient: user,
    refundTo: user,
    requestId,
  };
  return withSpender(priced, routerTransaction(work, origin, routerVersion));
}

/** Does all of it at once: pays the fees, exchanges, delivers, makes the calls. */
async function ownTransaction(priced: Priced, context: UserTransactionContext): Promise<UserTransaction> {
  const { amounts, read, route, routerVersion } = priced;
  const { currencyIn, origin, recipient, txs } = read;
  const fees = amounts.amountIn - amounts.netIn;
  if (fees === 0n && txs.length === 0) {
    const direct = await directTransaction(priced, context.requestId);
    if (direct !== undefined) return { ...direct, spender: undefined };
  }
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
  const work = {
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
  return withSpender(priced, routerTransaction(work, origin, routerVersion));
}

/** What needs no router, with the requestId behind its calldata; `undefined` when it needs one. */
async function directTransaction(
  { amounts, read }: Priced,
  requestId: Hex,
): Promise<Transaction | undefined> {
  const { currencyIn, kind, origin, recipient, user } = read;
  const { wrappedNative } = origin.swap;
  const { amountIn } = amounts;
  if (kind === "Send") {
    const { address: currency } = currencyIn;
    // A contract that takes native currency may not take calldata with it.
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

function withSpender({ read, routerVersion }: Priced, transaction: Transaction): UserTransaction {
  const isNative = read.currencyIn.address === zeroAddress;
  return { ...transaction, spender: isNative ? undefined : approvalProxyOf(read.origin, routerVersion) };
}
