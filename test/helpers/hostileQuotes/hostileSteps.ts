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
import { type Stage, thief } from "./stage.ts";

type Step = Quote["steps"][number];
type Call = { readonly data: Hex; readonly to: string; readonly value?: bigint };
type RouterCall = { target: Hex; allowFailure: boolean; value: bigint; callData: Hex };

const tokens = ["USDC", "USDT", "WETH"] as const;
const wholeAllowance = parseAbi(["function depositErc20(address depositor, address token, bytes32 id)"]);

/** A step in the service's form. */
function stepOf({ quote }: Stage, { data, id, kind }: { data: object; id: string; kind: string }): Step {
  const { requestId } = quote.steps[0] ?? {};
  const items = [{ data, status: "incomplete" }];
  return { action: "Confirm", depositAddress: "", description: "", id, items, kind, requestId } as Step;
}

function transactionStep(stage: Stage, id: string, { data, to, value = 0n }: Call): Step {
  const { fixture, user } = stage;
  const chainId = fixture.alpha.info.id;
  const transaction = { chainId, data, from: user.address, to, value: value.toString() };
  return stepOf(stage, { data: transaction, id, kind: "transaction" });
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

/** Typed data of permissions, by primary type. */
const permissions = {
  Permit: "owner:address spender:address value:uint256 nonce:uint256 deadline:uint256",
  PermitSingle: "details:PermitDetails spender:address sigDeadline:uint256",
  ReceiveWithAuthorization:
    "from:address to:address value:uint256 validAfter:uint256 validBefore:uint256 nonce:bytes32",
  TransferWithAuthorization:
    "from:address to:address value:uint256 validAfter:uint256 validBefore:uint256 nonce:bytes32",
} as const;
const permitDetails = "token:address amount:uint160 expiration:uint48 nonce:uint48";

/** The fields of a type of typed data. */
function fieldsOf(text: string): readonly { readonly name: string; readonly type: string }[] {
  return text.split(" ").map((field) => {
    const [name = "", type = ""] = field.split(":");
    return { name, type };
  });
}

/** Permissions for the attacker. */
function sign(stage: Stage, draws: Draws): Step {
  const { fixture, quote, user } = stage;
  const { contracts, id: chainId } = fixture.alpha.info;
  const token = fixture.alpha.currency("USDC");
  const spender = draws.pick([thief, contracts.v3.approvalProxy, contracts.multicall3]);
  const deadline = (draws.chance(0.5) ? BigInt(Math.floor(Date.now() / 1000) + 500) : 2n ** 47n).toString();
  const amount = draws.pick(["5000000000", quote.details.currencyIn.amount]);
  const primaryType = draws.pick(Object.keys(permissions) as (keyof typeof permissions)[]);
  const isPermit2 = primaryType === "PermitSingle";
  const expiration = "1999999999";
  const values = {
    ...{ deadline, from: user.address, owner: user.address, sigDeadline: expiration, spender, to: spender },
    ...{ validAfter: "0", validBefore: deadline, value: amount },
    details: { amount, expiration, nonce: "0", token },
    nonce: primaryType === "Permit" ? "0" : thiefWord,
  };
  const fields = fieldsOf(permissions[primaryType]);
  const form = {
    domain: isPermit2
      ? { chainId, name: "Permit2", verifyingContract: contracts.permit2 }
      : { chainId, name: "USD Coin", verifyingContract: token, version: "1" },
    primaryType,
    types: { [primaryType]: fields, ...(isPermit2 && { PermitDetails: fieldsOf(permitDetails) }) },
    value: Object.fromEntries(fields.map(({ name }) => [name, values[name as keyof typeof values]])),
  };
  const honest = quote.steps.find(({ kind }) => kind === "signature")?.items[0]?.data as { post?: object };
  const post = honest?.post ?? { body: {}, endpoint: "/execute/permits", method: "POST" };
  const data = { post, sign: { ...form, signatureKind: "eip712" } };
  return stepOf(stage, { data, id: "authorize", kind: "signature" });
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
