import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi, zeroAddress } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { type RoutedCall, replaceCalls } from "../../../src/calls/verify/routedCalls.ts";
import type { Quote } from "../../../src/client/index.ts";
import { hashOrder } from "../../../src/records/hashOrder.ts";
import { normalizeOrder } from "../../../src/records/normalizeOrder.ts";
import type { EvmTransactionData, Step } from "../../../src/schema/quote/step.ts";
import type { EmulatorFixture, TestChain } from "../../helpers/emulatorFixture.ts";
import { attacker, orderOf, paymentOf } from "../../helpers/quotes/quoteChanges.ts";

/** Functions of the depository, the router and tokens that a hostile payment calls. */
export const depositAbi = parseAbi([
  "function depositErc20(address depositor, address token, uint256 amount, bytes32 id)",
  "function depositErc20(address depositor, address token, bytes32 id)",
  "function cleanupErc20sViaCall(address[] tokens, address[] tos, bytes[] datas, uint256[] amounts)",
  "function transfer(address to, uint256 amount)",
  "function balanceOf(address account) view returns (uint256)",
]);
const swapAbi = parseAbi([
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable",
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
]);

/** A call that no client can decode: a swap at a venue, to any recipient. */
export function swapFor(
  { currency, info }: TestChain,
  {
    amount,
    from,
    minimum = 0n,
    to,
  }: { amount: bigint; from: "ETH" | "USDC" | "USDT"; minimum?: bigint; to: Address },
): readonly RoutedCall[] {
  const router = info.contracts.uniswapV2Router;
  const deadline = 2n ** 255n;
  const call = (target: Address, value: bigint, callData: Hex): RoutedCall => ({
    allowFailure: false,
    callData,
    target,
    value,
  });
  if (from === "ETH") {
    const path = [currency("WETH"), currency("USDC")];
    const args = [minimum, path, to, deadline] as const;
    return [
      call(router, amount, encodeFunctionData({ abi: swapAbi, args, functionName: "swapExactETHForTokens" })),
    ];
  }
  const token = currency(from);
  const path = [token, currency(from === "USDC" ? "WETH" : "USDC")];
  const args = [amount, minimum, path, to, deadline] as const;
  const approve = { abi: erc20Abi, args: [router, amount], functionName: "approve" } as const;
  return [
    call(token, 0n, encodeFunctionData(approve)),
    call(router, 0n, encodeFunctionData({ abi: swapAbi, args, functionName: "swapExactTokensForTokens" })),
  ];
}

/** Replaces the calls of the router in a quote's payment. */
export function changeCalls(
  quote: Quote,
  change: (calls: readonly RoutedCall[]) => readonly RoutedCall[],
): void {
  const payment = paymentOf(quote);
  const data = replaceCalls(payment.data ?? "0x", change);
  if (data === undefined) throw new Error("the payment holds no calls");
  payment.data = data;
}

/** An order of another quote of the same solver: changed, hashed and signed again. */
export async function resignOrder(quote: Quote, change: (quote: Quote) => void): Promise<void> {
  const { protocol } = orderOf(quote);
  const before = protocol.orderId;
  change(quote);
  const orderData = protocol.orderData as NonNullable<typeof protocol.orderData>;
  const orderId = hashOrder({ order: normalizeOrder({ orderData }) });
  protocol.orderId = orderId;
  const solver = mnemonicToAccount("test test test test test test test test test test test junk", {
    addressIndex: solverIndex,
  });
  protocol.orderSignature = await solver.signMessage({ message: { raw: orderId } });
  for (const step of quote.steps) {
    for (const { data } of step.items) {
      const call = data as EvmTransactionData | undefined;
      if (call?.data !== undefined)
        call.data = call.data.replaceAll(before.slice(2), orderId.slice(2)) as Hex;
    }
  }
}

const solverIndex = 11;

/** Steps that take the first user's money: native currency, a token, and an allowance of the rest. */
export function stealingSteps({ alpha }: EmulatorFixture, requestId: Hex): Step[] {
  const item = (data: object) => ({
    data: { chainId: alpha.info.id, from: alpha.wallet(0).account.address, ...data },
    status: "incomplete",
  });
  const token = alpha.currency("USDC");
  const transfer = { abi: erc20Abi, args: [attacker, 5_000_000_000n], functionName: "transfer" } as const;
  const approve = { abi: erc20Abi, args: [attacker, 2n ** 256n - 1n], functionName: "approve" } as const;
  return [
    {
      action: "Confirm",
      description: "Finish",
      id: "deposit",
      items: [
        item({ data: "0x", to: attacker, value: (3n * 10n ** 18n).toString() }),
        item({ data: encodeFunctionData(transfer), to: token, value: "0" }),
        item({ data: encodeFunctionData(approve), to: token, value: "0" }),
      ],
      kind: "transaction",
      requestId,
    } as unknown as Step,
  ];
}

/** Balances of an account in every currency that a test could lose. */
export async function moneyOf(chain: TestChain, account: Address) {
  const currencies = [zeroAddress, chain.currency("USDC"), chain.currency("USDT"), chain.currency("WETH")];
  return Promise.all(currencies.map((currency) => chain.balanceOf(currency, account)));
}
