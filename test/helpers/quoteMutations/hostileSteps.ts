import {
  concat,
  encodeFunctionData,
  type Hex,
  keccak256,
  maxUint256,
  parseAbi,
  parseEther,
  toHex,
  zeroAddress,
} from "viem";
import { multicall3Abi } from "../../../src/abi/Multicall3.ts";
import { serviceFunctions } from "../../../src/calls/serviceFunctions.ts";
import type { Quote } from "../../../src/client/index.ts";
import { erc20Data } from "../erc20Data.ts";
import type { Draws } from "../seededDraws.ts";
import { type Stage, thief } from "./Stage.ts";

type Step = Quote["steps"][number];
type Call = { readonly data: Hex; readonly to: string; readonly value?: bigint };
type RouterCall = { target: Hex; allowFailure: boolean; value: bigint; callData: Hex };

const tokens = ["USDC", "USDT", "WETH"] as const;
const wholeAllowance = parseAbi(["function depositErc20(address depositor, address token, bytes32 id)"]);

/** A transaction step in the service's form. */
function transactionStep({ fixture, quote, user }: Stage, id: string, call: Call): Step {
  const data = {
    chainId: fixture.alpha.info.id,
    data: call.data,
    from: user.address,
    to: call.to,
    value: (call.value ?? 0n).toString(),
  };
  const { requestId } = quote.steps[0] ?? {};
  const items = [{ data, status: "incomplete" }];
  return {
    action: "Confirm",
    depositAddress: "",
    description: "",
    id,
    items,
    kind: "transaction",
    requestId,
  } as Step;
}

/** Steps that give the attacker money or the right to take it. */
export function drawHostileStep(stage: Stage, draws: Draws): Step {
  const make = draws.pick([grab, grab, pay, fromDonor, sign, wholeDeposit, routed, routed]);
  return make(stage, draws);
}

/** Plain thefts. */
function grab(stage: Stage, draws: Draws): Step {
  const { alpha } = stage.fixture;
  const symbol = draws.pick(tokens);
  const token = alpha.currency(symbol);
  const amount = symbol === "WETH" ? parseEther("3") : 5_000_000_000n;
  const spender = draws.pick([thief, alpha.info.contracts.v3.erc20Router, alpha.info.contracts.multicall3]);
  const approve = erc20Data("approve", spender, maxUint256);
  const transfer = erc20Data("transfer", thief, amount);
  return draws.pick([
    transactionStep(stage, draws.pick(["approve", "deposit"]), { data: approve, to: token }),
    transactionStep(stage, draws.pick(["approve", "swap"]), { data: transfer, to: token }),
    transactionStep(stage, "send", { data: "0x", to: thief, value: parseEther("3") }),
  ]);
}

/** Payments under ids of the attacker's own requests and orders. */
function pay(stage: Stage, draws: Draws): Step {
  const { fixture, request, user } = stage;
  const { alpha, emulator } = fixture;
  const { depository, relayReceiver } = alpha.info.contracts;
  const donor = draws.pick([stage.quote, stage.quote, ...stage.donors]);
  const id = draws.pick([donor.steps[0]?.requestId, donor.protocol?.v2?.orderId]) as Hex;
  const amount = BigInt(stage.quote.details.currencyIn.amount);
  const native = request.originCurrency === zeroAddress;
  const { solver } = emulator.info;
  if (native) {
    const args = [user.address, id] as const;
    const deposit = encodeFunctionData({ abi: serviceFunctions, args, functionName: "depositNative" });
    const forward = encodeFunctionData({ abi: serviceFunctions, args: [id], functionName: "forward" });
    return draws.pick([
      transactionStep(stage, "deposit", { data: deposit, to: depository, value: amount }),
      transactionStep(stage, "deposit", { data: forward, to: relayReceiver, value: amount }),
      transactionStep(stage, "deposit", { data: id, to: solver, value: amount }),
      transactionStep(stage, "deposit", { data: id, to: relayReceiver, value: amount }),
    ]);
  }
  const to = draws.pick([solver, depository, relayReceiver]) as Hex;
  const transfer = erc20Data("transfer", to, amount);
  return transactionStep(stage, "deposit", { data: concat([transfer, id]), to: request.originCurrency });
}

/** A step of a quote that the attacker requested. */
function fromDonor(stage: Stage, draws: Draws): Step {
  return structuredClone(draws.pick(draws.pick(stage.donors).steps)) as Step;
}

/** The deposit that takes the whole allowance. */
function wholeDeposit(stage: Stage, draws: Draws): Step {
  const { fixture, quote, request, user } = stage;
  const id = (draws.chance(0.7) ? quote : draws.pick(stage.donors)).protocol?.v2?.orderId as Hex;
  const token = draws.chance(0.7) ? request.originCurrency : fixture.alpha.currency(draws.pick(tokens));
  const args = [user.address, token as Hex, id ?? thiefWord] as const;
  const data = encodeFunctionData({ abi: wholeAllowance, args, functionName: "depositErc20" });
  return transactionStep(stage, "deposit", { data, to: fixture.alpha.info.contracts.depository });
}

const thiefWord = keccak256(toHex("the attacker's order"));

/** Permissions for the attacker. */
function sign(stage: Stage, draws: Draws): Step {
  const { fixture, quote, user } = stage;
  const { alpha } = fixture;
  const proxy = alpha.info.contracts.v3.approvalProxy;
  const spender = draws.pick([thief, proxy, alpha.info.contracts.multicall3]);
  const deadline = (draws.chance(0.5) ? BigInt(Math.floor(Date.now() / 1000) + 500) : 2n ** 47n).toString();
  const uint = (name: string) => ({ name, type: "uint256" });
  const address = (name: string) => ({ name, type: "address" });
  const usdc = {
    chainId: alpha.info.id,
    name: "USD Coin",
    verifyingContract: alpha.currency("USDC"),
    version: "1",
  };
  const amount = draws.pick(["5000000000", quote.details.currencyIn.amount]);
  const forms = [
    {
      domain: usdc,
      primaryType: "Permit",
      types: {
        Permit: [address("owner"), address("spender"), uint("value"), uint("nonce"), uint("deadline")],
      },
      value: { deadline, nonce: "0", owner: user.address, spender, value: amount },
    },
    {
      domain: usdc,
      primaryType: draws.pick(["ReceiveWithAuthorization", "TransferWithAuthorization"]),
      types: {} as Record<string, unknown>,
      value: {
        from: user.address,
        nonce: thiefWord,
        to: spender,
        validAfter: "0",
        validBefore: deadline,
        value: amount,
      },
    },
    {
      domain: { chainId: alpha.info.id, name: "Permit2", verifyingContract: alpha.info.contracts.permit2 },
      primaryType: "PermitSingle",
      types: {
        PermitDetails: [
          address("token"),
          { name: "amount", type: "uint160" },
          { name: "expiration", type: "uint48" },
          { name: "nonce", type: "uint48" },
        ],
        PermitSingle: [{ name: "details", type: "PermitDetails" }, address("spender"), uint("sigDeadline")],
      },
      value: {
        details: { amount, expiration: "1999999999", nonce: "0", token: alpha.currency("USDC") },
        sigDeadline: "1999999999",
        spender,
      },
    },
    {
      domain: { name: "HyperliquidTransaction", version: "1" },
      primaryType: "NonceMapping",
      types: {
        NonceMapping: ["chainId", "depositor", "id", "nonce", "wallet"].map((name) => ({
          name,
          type: "string",
        })),
      },
      value: { chainId: "x", depositor: user.address, id: thiefWord, nonce: "1", wallet: user.address },
    },
  ];
  const form = draws.pick(forms);
  if (form.primaryType.endsWith("Authorization")) {
    form.types = {
      [form.primaryType]: [
        address("from"),
        address("to"),
        uint("value"),
        uint("validAfter"),
        uint("validBefore"),
        { name: "nonce", type: "bytes32" },
      ],
    };
  }
  const honest = quote.steps.find(({ kind }) => kind === "signature")?.items[0]?.data as { post?: object };
  const post = honest?.post ?? { body: {}, endpoint: "/execute/permits", method: "POST" };
  const { requestId } = quote.steps[0] ?? {};
  const data = { post, sign: { ...form, signatureKind: "eip712" } };
  const items = [{ data, status: "incomplete" }];
  return {
    action: "Sign",
    depositAddress: "",
    description: "",
    id: "authorize",
    items,
    kind: "signature",
    requestId,
  } as Step;
}

/** A payment by the service's own router with random calls: thefts next to the calls that a proof expects. */
function routed(stage: Stage, draws: Draws): Step {
  const { fixture, request, user } = stage;
  const { contracts } = fixture.alpha.info;
  const amount = BigInt(stage.quote.details.currencyIn.amount);
  const isV3 = draws.chance(0.8);
  const { approvalProxy, erc20Router } = isV3 ? contracts.v3 : contracts;
  const drawn = Array.from({ length: draws.whole(1, 4) }, () => drawRouterCall(stage, draws, erc20Router));
  const metadata = draws.pick([stage.quote.steps[0]?.requestId ?? "0x", "0x"]) as Hex;
  const refundTo = draws.pick([user.address, user.address, thief]);
  const native = request.originCurrency === zeroAddress;
  const name = native ? ("multicall" as const) : ("transferAndMulticall" as const);
  const pulled = native ? [] : [[request.originCurrency], [draws.pick([amount, amount, 5_000_000_000n])]];
  const args = [
    ...pulled,
    drawn,
    refundTo,
    draws.pick([user.address, zeroAddress]),
    ...(isV3 ? [metadata] : []),
  ];
  const data = encodeFunctionData({ abi: serviceFunctions, args: args as never, functionName: name });
  const to = native ? erc20Router : approvalProxy;
  return transactionStep(stage, "deposit", { data, to, value: native ? amount : 0n });
}

/** One call: a theft, a deposit in the order's name, a plain payment of dust, or a copy of an honest one. */
export function drawRouterCall(stage: Stage, draws: Draws, router: Hex): RouterCall {
  const { accounts, fixture, quote, request, user } = stage;
  const { alpha } = fixture;
  const { depository, multicall3 } = alpha.info.contracts;
  const token = (
    request.originCurrency === zeroAddress ? alpha.currency("USDC") : request.originCurrency
  ) as Hex;
  const amount = BigInt(quote.details.currencyIn.amount);
  const orderId = (draws.pick([quote, quote, ...stage.donors]).protocol?.v2?.orderId ?? thiefWord) as Hex;
  const all = request.originCurrency === zeroAddress ? amount - 1n : 0n;
  const call = (target: string, callData: Hex, value = 0n): RouterCall => ({
    allowFailure: draws.chance(0.25),
    callData,
    target: target as Hex,
    value,
  });
  const named = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: serviceFunctions, args, functionName } as never);
  const take = draws.pick([amount, amount - 1n, amount / 2n]);
  const deposited = draws.pick([amount, 1n, 0n, amount / 10n]);
  return draws.pick([
    () => call(token, named("transfer", [thief, take])),
    () => call(token, named("approve", [draws.pick([thief, depository, multicall3]), maxUint256])),
    () => call(thief, draws.pick(["0x", `0x${"00".repeat(12)}${accounts.recipient.slice(2)}`] as const), all),
    () => call(multicall3, named3(thief, all), all),
    () => call(depository, named("depositErc20", [user.address, token, deposited, orderId])),
    () => call(depository, named("depositNative", [user.address, orderId]), draws.pick([amount, 1n, 0n])),
    () => call(multicall3, named("depositErc20", [user.address, token, deposited, orderId])),
    () => call(token, named("transfer", [accounts.recipient, draws.pick([0n, 1n])])),
    () => call(accounts.recipient, "0x", draws.pick([0n, 1n])),
    () => call(router, named("cleanupNative", [0n, draws.pick([thief, accounts.recipient]), "0x"])),
    () =>
      call(router, named("cleanupErc20s", [[token], [draws.pick([thief, accounts.recipient])], [0n], "0x"])),
    () =>
      call(
        router,
        named("cleanupNativeViaCall", [
          0n,
          draws.pick([thief, multicall3, depository]),
          named("depositNative", [user.address, orderId]),
        ]),
      ),
  ])();
}

/** A contract of the attacker, or one that makes any account's calls. */
function named3(target: Hex, value: bigint): Hex {
  const calls = [{ allowFailure: false, callData: "0x", target, value }] as const;
  return encodeFunctionData({ abi: multicall3Abi, args: [calls], functionName: "aggregate3Value" });
}
