import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  formatUnits,
  type Hex,
  keccak256,
  parseAbi,
  toHex,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import type { QuoteIntent, QuotePolicy, TrustRoots } from "../../../../src/guard/index.ts";
import { hashOrder, signOrder } from "../../../../src/records/hashOrder.ts";
import { normalizeOrder } from "../../../../src/records/normalizeOrder.ts";
import { encodeOrderExtraData } from "../../../../src/records/orderCall.ts";
import type { Quote } from "../../../../src/schema/quote/quote.ts";
import {
  bridgeQuote,
  depository,
  depositStep,
  ether,
  native,
  token,
  user,
} from "../../client/support/samples.ts";

const solver = mnemonicToAccount("test test test test test test test test test test test junk", {
  addressIndex: 1,
});
const router: Address = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";
const approvalProxy: Address = "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9";
const wrapped: Address = "0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9";
/** Unix milliseconds of every proof. */
export const now = 1_700_000_000_000;
const seconds = now / 1_000;
const depositAbi = parseAbi([
  "function depositErc20(address depositor, address token, uint256 amount, bytes32 id)",
]);

const contracts = {
  depository: depository as Address,
  routers: [{ approvalProxy, router, version: "v3" as const }],
};
export const trust: TrustRoots = {
  chains: [
    { ...contracts, chainId: 31337, name: "local-a", wrappedNative: wrapped },
    { ...contracts, chainId: 31338, name: "local-b" },
  ],
  solvers: [solver.address],
};
export const policy: QuotePolicy = { minimumOutput: 1n, trust };

export type Sample = { readonly request: QuoteIntent; readonly quote: Quote };

const amountOf = (amount: string, chainId: number, address: Address) => ({
  amount,
  amountFormatted: formatUnits(BigInt(amount), address === native ? 18 : 6),
  amountUsd: "1.00",
  currency: { ...ether, address, chainId, decimals: address === native ? 18 : 6 },
  minimumAmount: amount,
});

function sampleOf(
  {
    amount,
    currencies,
    chains,
    id,
  }: { amount: bigint; currencies: [Address, Address]; chains: [number, number]; id: string },
  more: Pick<Quote, "protocol" | "steps">,
): Sample {
  const request = {
    amount: `${amount}`,
    destinationChainId: chains[1],
    destinationCurrency: currencies[1],
    originChainId: chains[0],
    originCurrency: currencies[0],
    tradeType: "EXACT_INPUT",
    user,
  } as const;
  const { details, fees } = bridgeQuote();
  const currencyIn = amountOf(`${amount}`, chains[0], currencies[0]);
  const currencyOut = amountOf(`${amount}`, chains[1], currencies[1]);
  const steps = more.steps.map((step) => ({ ...step, requestId: requestIdOf(id) }));
  const quote = {
    ...more,
    details: { ...details, currencyIn, currencyOut },
    fees,
    steps,
  } as unknown as Quote;
  // As it comes from the service: without fields that are undefined.
  return { quote: JSON.parse(JSON.stringify(quote)), request };
}

export const requestIdOf = (id: string): Hex => keccak256(toHex(id));

/** 1.5 of a token across chains: an approval, after a reset if `isReset`, and a deposit for the signed order. */
export async function tokenSample(id = "token", { isReset = false } = {}): Promise<Sample> {
  const amount = 1_500_000n;
  const extraData = encodeOrderExtraData({ fillContract: router });
  const refund = {
    chainId: "local-a",
    currency: token,
    deadline: seconds + 7_200,
    extraData,
    minimumAmount: "0",
    recipient: user,
  };
  const orderData = {
    fees: [],
    inputs: [
      {
        payment: { amount: `${amount}`, chainId: "local-a", currency: token, weight: "1" },
        refunds: [refund],
      },
    ],
    output: {
      calls: [],
      chainId: "local-b",
      deadline: seconds + 3_600,
      extraData,
      payments: [
        { currency: token, expectedAmount: `${amount}`, minimumAmount: `${amount}`, recipient: user },
      ],
    },
    salt: keccak256(toHex(id)),
    solver: solver.address,
    solverChainId: "base",
    version: "v1",
  };
  const order = normalizeOrder({ orderData, vmTypes: { "local-a": "evm", "local-b": "evm" } as never });
  const orderId = hashOrder({ order });
  const approve = (allowed: bigint) =>
    encodeFunctionData({ abi: erc20Abi, args: [depository, allowed], functionName: "approve" });
  const approvals = (isReset ? [0n, amount] : [amount]).map((allowed) => ({
    ...depositStep({
      data: approve(allowed),
      gas: "60000",
      maxFeePerGas: "1000000000000",
      to: token,
      value: "0",
    }),
    id: "approve",
  }));
  const data = encodeFunctionData({
    abi: depositAbi,
    args: [user, token, amount, orderId],
    functionName: "depositErc20",
  });
  const steps = [
    ...approvals,
    depositStep({ data, gas: "100000", maxFeePerGas: "1000000000000", value: "0" }),
  ];
  const orderSignature = await signOrder({ account: solver, order });
  const protocol = { v2: { orderData, orderId, orderSignature } } as Quote["protocol"];
  return sampleOf({ amount, chains: [31337, 31338], currencies: [token, token], id }, { protocol, steps });
}

/** Wraps one ether on one chain: one transaction, whose bytes are the same for the same request id. */
export function wrapSample(id = "wrap"): Sample {
  const amount = 10n ** 18n;
  const step = depositStep({
    data: `0xd0e30db0${requestIdOf(id).slice(2)}`,
    gas: "50000",
    to: wrapped,
    value: `${amount}`,
  });
  return sampleOf(
    { amount, chains: [31337, 31337], currencies: [native, wrapped], id },
    { protocol: undefined, steps: [{ ...step, id: "send" }] },
  );
}

/** A permit (ERC-2612) for 1.5 of a token; the service appends the payment later. */
export async function permitSample(id = "permit"): Promise<Sample> {
  const { quote, request } = await tokenSample(id);
  const field = (name: string, type: string) => ({ name, type });
  const sign = {
    domain: { chainId: 31337, name: "Dollar", verifyingContract: token, version: "1" },
    primaryType: "Permit",
    signatureKind: "eip712",
    types: {
      Permit: [
        field("owner", "address"),
        field("spender", "address"),
        field("value", "uint256"),
        field("nonce", "uint256"),
        field("deadline", "uint256"),
      ],
    },
    value: {
      deadline: `${seconds + 1_800}`,
      nonce: "0",
      owner: user,
      spender: approvalProxy,
      value: "1500000",
    },
  };
  const post = {
    body: { kind: "permit", requestId: requestIdOf(id) },
    endpoint: "/execute/permits",
    method: "POST",
  };
  const items = [{ data: { post, sign }, status: "incomplete" }];
  const step = { ...depositStep(), id: "authorize", items, kind: "signature", requestId: requestIdOf(id) };
  return {
    quote: { ...quote, steps: [step] as unknown as Quote["steps"] },
    request: { ...request, usePermit: true },
  };
}
