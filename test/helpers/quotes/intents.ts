import { expect } from "chai";
import {
  type Address,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  parseEther,
  parseUnits,
  zeroAddress,
} from "viem";
import {
  type GetQuoteParameters,
  getQuote,
  getStatus,
  type Quote,
  type Status,
  waitForRequest,
} from "../../../src/client/index.ts";
import { HttpError } from "../../../src/errors/HttpError.ts";
import { RequestFailedError } from "../../../src/errors/RequestFailedError.ts";
import { execute } from "../../../src/execute/index.ts";
import type { EmulatorFixture, TestChain } from "../emulatorFixture.ts";
import { erc20Data } from "../erc20Data.ts";

export const recipient: Address = "0x00000000000000000000000000000000000a11ce";
export const symbols = ["ETH", "USDC", "USDT", "WETH"] as const;

/** A currency of the emulator's chains. */
export type TestSymbol = (typeof symbols)[number];

/** Gas limit of a user's transaction. */
const gas = 1_500_000n;
const swapAbi = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)",
]);
const wethAbi = parseAbi(["function deposit() payable"]);

/** About fifty dollars of a currency, with digits down to the smallest unit. */
export function fiftyDollars(symbol: TestSymbol): bigint {
  return symbol === "ETH" || symbol === "WETH"
    ? parseEther("0.020000000000000007")
    : parseUnits("50.000003", 6);
}

/** The exchange that a test requests. */
export type Wanted = {
  readonly from: TestSymbol;
  readonly to: TestSymbol;
  readonly sameChain?: boolean;
} & Partial<GetQuoteParameters>;

/** Asks for a quote for the first user, with about fifty dollars on the fixed side. */
export function quoteFor(fixture: EmulatorFixture, wanted: Wanted): Promise<Quote> {
  const { from, sameChain = false, to, ...overrides } = wanted;
  const { alpha, beta } = fixture;
  const destination = sameChain ? alpha : beta;
  const tradeType = overrides.tradeType ?? "EXACT_INPUT";
  return getQuote(fixture.client, {
    amount: fiftyDollars(tradeType === "EXACT_INPUT" ? from : to),
    destinationChainId: destination.info.id,
    destinationCurrency: destination.currency(to),
    originChainId: alpha.info.id,
    originCurrency: alpha.currency(from),
    recipient,
    refundTo: overrides.user ?? alpha.wallet(0).account.address,
    tradeType,
    user: alpha.wallet(0).account.address,
    ...overrides,
  });
}

/** Returns the error code of a rejected quote. */
export async function refusalOf(fixture: EmulatorFixture, wanted: Wanted): Promise<string | undefined> {
  const error = await quoteFor(fixture, wanted).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpError)) throw error ?? new Error("the quote was given");
  expect(error.status).to.equal(400);
  return error.errorCode;
}

/**
 * Executes a quote with the first user's wallet and a node whose estimate is generous, and from before a market moved: a
 * pool uses more at the first trade of a second, and a transaction that reverts is sent.
 */
export function carryOut(fixture: EmulatorFixture, quote: Quote) {
  const { reader, wallet } = fixture.alpha;
  const request = async (call: { method: string; params?: unknown }) =>
    call.method === "eth_estimateGas" ? numberToHex(gas) : reader.request(call as never);
  return execute(fixture.client, {
    publicClient: { ...reader, request } as typeof reader,
    quote,
    timeout: 20_000,
    verify: false,
    wallet: wallet(0),
  });
}

/** Executes a quote that must fail, and returns its final status. */
export async function endOf(fixture: EmulatorFixture, quote: Quote): Promise<Status> {
  await carryOut(fixture, quote).catch((error: unknown) => {
    if (!(error instanceof RequestFailedError)) throw error;
  });
  return getStatus(fixture.client, { requestId: requestIdOf(quote) });
}

/** Waits until a request has a final status. */
export async function finalStatus(fixture: EmulatorFixture, requestId: Hex): Promise<Status> {
  await waitForRequest(fixture.client, {
    failureGrace: 0,
    requestId,
    timeout: 20_000,
  }).catch((error: unknown) => {
    if (!(error instanceof RequestFailedError)) throw error;
  });
  return getStatus(fixture.client, { requestId });
}

export function requestIdOf(quote: Quote): Hex {
  return quote.steps[0]?.requestId as Hex;
}

/** The transaction of a quote's last step. */
export function lastTransaction(quote: Quote): { to: Address; data: Hex; value: bigint } {
  const step = quote.steps.at(-1);
  const data = step?.kind === "transaction" ? step.items[0]?.data : undefined;
  if (data === undefined || typeof data !== "object" || !("to" in data) || data.to === undefined) {
    throw new Error("the quote ends with no transaction");
  }
  const { data: calldata = "0x", to, value = "0" } = data as { to: Address; data?: Hex; value?: string };
  return { data: calldata, to, value: BigInt(value) };
}

/** Reads the accounts' balances of every currency of a chain. */
export async function holdings<Name extends string>(
  chain: TestChain,
  accounts: Readonly<Record<Name, Address>>,
): Promise<Readonly<Record<Name, Readonly<Record<TestSymbol, bigint>>>>> {
  const entries = await Promise.all(
    Object.entries<Address>(accounts).map(async ([name, account]) => {
      const balances = await Promise.all(
        symbols.map(async (symbol) => [symbol, await chain.balanceOf(chain.currency(symbol), account)]),
      );
      return [name, Object.fromEntries(balances)];
    }),
  );
  return Object.fromEntries(entries);
}

/** Returns the gas fee of a transaction, in wei. */
export async function gasSpent(chain: TestChain, hash: Hex): Promise<bigint> {
  const { effectiveGasPrice, gasUsed } = await chain.reader.getTransactionReceipt({ hash });
  return effectiveGasPrice * gasUsed;
}

/** Sends a transaction of a user and waits until it is mined. */
export async function sendAs(
  chain: TestChain,
  index: number,
  call: { to: Address; data?: Hex; value?: bigint; gas?: bigint },
): Promise<Hex> {
  const hash = await chain.wallet(index).sendTransaction(call);
  await chain.reader.waitForTransactionReceipt({ hash });
  return hash;
}

/** Trades on a pool so that the bought currency's price rises by about `percent` percent. */
export async function movePool(
  chain: TestChain,
  sold: TestSymbol,
  bought: TestSymbol,
  percent: bigint,
): Promise<void> {
  const trader = 9;
  const router = chain.info.contracts.uniswapV2Router;
  const [tokenIn, tokenOut] = [sold, bought].map((symbol) =>
    chain.currency(symbol === "ETH" ? "WETH" : symbol),
  ) as [Address, Address];
  const account = chain.wallet(trader).account.address;
  // The price grows with the square of the input: half of `percent` on one side moves the rate by all of it.
  const reserve = await poolReserve(chain, tokenIn, tokenOut);
  const amountIn = (reserve * percent) / 200n;
  await giveTokens(chain, tokenIn, account, amountIn);
  await sendAs(chain, trader, {
    data: erc20Data("approve", router, 0n),
    to: tokenIn,
  });
  await sendAs(chain, trader, {
    data: erc20Data("approve", router, amountIn),
    to: tokenIn,
  });
  await sendAs(chain, trader, {
    data: encodeFunctionData({
      abi: swapAbi,
      args: [amountIn, 0n, [tokenIn, tokenOut], account, 2n ** 255n],
      functionName: "swapExactTokensForTokens",
    }),
    // A pool may use more gas in the mined block than in the estimate.
    gas,
    to: router,
  });
}

async function poolReserve(chain: TestChain, token: Address, other: Address): Promise<bigint> {
  return chain.balanceOf(token, await poolOf(chain, token, other));
}

/** The pool of two tokens. */
async function poolOf(chain: TestChain, token: Address, other: Address): Promise<Address> {
  const [factory] = await Promise.all([
    chain.reader.readContract({
      abi: parseAbi(["function factory() view returns (address)"]),
      address: chain.info.contracts.uniswapV2Router,
      functionName: "factory",
    }),
  ]);
  return chain.reader.readContract({
    abi: parseAbi(["function getPair(address a, address b) view returns (address)"]),
    address: factory,
    args: [token, other],
    functionName: "getPair",
  });
}

/** Creates tokens: wraps a set balance, or mints as their owner. */
async function giveTokens(chain: TestChain, token: Address, account: Address, amount: bigint): Promise<void> {
  const request = chain.reader.request as (call: { method: string; params: unknown[] }) => Promise<unknown>;
  const hex = (value: bigint) => `0x${value.toString(16)}`;
  if (token === chain.currency("WETH")) {
    await request({
      method: "hardhat_setBalance",
      params: [account, hex(amount + parseEther("1000"))],
    });
    const data = encodeFunctionData({ abi: wethAbi, functionName: "deposit" });
    await sendAs(chain, 9, { data, to: token, value: amount });
    return;
  }
  const owner = await chain.reader.readContract({
    abi: parseAbi(["function owner() view returns (address)"]),
    address: token,
    functionName: "owner",
  });
  const data = encodeFunctionData({
    abi: parseAbi(["function mint(address to, uint256 amount)"]),
    args: [account, amount],
    functionName: "mint",
  });
  const hash = (await request({
    method: "eth_sendTransaction",
    params: [{ data, from: owner, to: token }],
  })) as Hex;
  await chain.reader.waitForTransactionReceipt({ hash });
}

/** Whether a symbol is the native currency. */
export function isNative(chain: TestChain, symbol: TestSymbol): boolean {
  return chain.currency(symbol) === zeroAddress;
}
