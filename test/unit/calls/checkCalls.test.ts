import { expect } from "chai";
import fc from "fast-check";
import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  toFunctionSelector,
  zeroAddress,
} from "viem";
import { balanceProxyAbi } from "../../../src/abi/BalanceProxy.ts";
import { relayApprovalProxyV2_1Abi } from "../../../src/abi/RelayApprovalProxyV2_1.ts";
import { relayApprovalProxyV3Abi } from "../../../src/abi/RelayApprovalProxyV3.ts";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { relayReceiverAbi } from "../../../src/abi/RelayReceiver.ts";
import { relayRouterV2_1Abi } from "../../../src/abi/RelayRouterV2_1.ts";
import { relayRouterV3Abi } from "../../../src/abi/RelayRouterV3.ts";
import { approve } from "../../../src/calls/approve.ts";
import type { Call } from "../../../src/calls/Call.ts";
import { calls } from "../../../src/calls/calls.ts";
import { type CheckCallsParameters, checkCalls } from "../../../src/calls/checkCalls.ts";
import { contractCall } from "../../../src/calls/contractCall.ts";
import { decodeCall } from "../../../src/calls/decodeCall.ts";
import { balanceOf } from "../../../src/calls/liveBalance.ts";
import { depositToVault } from "../../../src/calls/recipes/depositToVault.ts";
import { mintNft } from "../../../src/calls/recipes/mintNft.ts";
import { supplyToPool } from "../../../src/calls/recipes/supplyToPool.ts";
import { proxyFunctions, serviceFunctions } from "../../../src/calls/serviceFunctions.ts";
import { sweepErc20s, sweepNative } from "../../../src/calls/sweep.ts";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import { expectInvalid } from "../records/support/typedFailure.ts";

const router = "0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f";
const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const other = "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9";
const vault = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
const pool = "0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9";
const proxy = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";
const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const vaultAbi = parseAbi(["function deposit(uint256 assets, address receiver) returns (uint256)"]);
const poolAbi = parseAbi([
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
]);
const swapAbi = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable",
]);
const wrapAbi = parseAbi(["function deposit() payable", "function withdraw(uint256 amount)"]);

const deposit = (amount: bigint): Call =>
  contractCall({ abi: vaultAbi, address: vault, args: [amount, recipient], functionName: "deposit" });
const supply = (amount: bigint, asset: Hex = token): Call =>
  contractCall({ abi: poolAbi, address: pool, args: [asset, amount, recipient, 0], functionName: "supply" });
const swap = (to: Hex, amount = 5n): Call =>
  contractCall({
    abi: swapAbi,
    address: pool,
    args: [amount, 1n, [token, other], to, 1n],
    functionName: "swapExactTokensForTokens",
  });
const transfer = (amount: bigint): Call =>
  contractCall({ abi: erc20Abi, address: token, args: [recipient, amount], functionName: "transfer" });
const pay = (value: bigint, data: Hex = "0x", to: Hex = recipient): Call => ({ data, to, value });
const unknown = (to: Hex): Call => pay(0n, "0x12345678", to);
const allow = (spender: Hex, amount?: bigint): Call => approve({ amount, spender, token })[0] as Call;
const sweep = sweepErc20s({ recipient, router, tokens: [token] });
const sweepAll = sweepNative({ recipient, router });
const partly = (amounts: readonly bigint[]): Call =>
  contractCall({
    abi: relayRouterV3Abi,
    address: router,
    args: [amounts.map(() => token as Hex), amounts.map(() => recipient as Hex), [...amounts], "0x"],
    functionName: "cleanupErc20s",
  });

/** Findings as `code@index`, with the severity of errors marked. */
function found(txs: readonly Call[], more: Partial<CheckCallsParameters> = {}): readonly string[] {
  return checkCalls({
    amount: 5n,
    destinationCurrency: token,
    router,
    tradeType: "EXACT_OUTPUT",
    txs,
    ...more,
  }).map(({ code, index, severity }) => `${severity === "error" ? "!" : ""}${code}@${index ?? "all"}`);
}

const exactInput = { tradeType: "EXACT_INPUT" } as const;
const native = { destinationCurrency: zeroAddress } as const;

describe("checkCalls", () => {
  it("finds nothing wrong with what the builder makes", () => {
    const plan = calls({ proxy, router }).proxyStep({
      abi: vaultAbi,
      address: vault,
      args: [balanceOf(token), recipient],
      functionName: "deposit",
      recipient,
      token,
    });
    expect(found(plan.calls, exactInput)).to.deep.equal([]);
    expect(found(plan.sweepErc20s({ recipient, tokens: [token] }).calls, exactInput)).to.deep.equal([]);
    const recipes = [
      depositToVault({ asset: token, proxy, recipient, vault }),
      mintNft({
        abi: parseAbi(["function buy(uint256 quantity)"]),
        address: vault,
        args: [1n],
        functionName: "buy",
        price: 5n,
        proxy,
        recipient,
        token,
      }),
      supplyToPool({ asset: token, pool, proxy, recipient }),
    ];
    for (const recipe of recipes) expect(found(recipe, exactInput)).to.deep.equal([]);
    // The last call of the first batch revokes the proxy's approval, which the proxy's deposit uses.
    expect(found(recipes[0]?.slice(0, -1) ?? [], exactInput)).to.deep.equal(["ALLOWANCE_LEFT@1"]);
    expect(found(recipes[0]?.slice(2, 3) ?? [], exactInput)).to.deep.equal(["!APPROVAL_MISSING@0"]);
    expect(found([allow(vault, 5n), deposit(5n)])).to.deep.equal([]);
    expect(found([allow(pool, 5n), supply(5n), sweep], { resetTokens: [] })).to.deep.equal([]);
    expect(found([pay(5n)], native)).to.deep.equal([]);
    expect(found([], { ...native, amount: "0" })).to.deep.equal([]);
    expect(found([])).to.deep.equal([]);
  });

  it("ALLOWANCE_LEFT: an allowance of the router is left", () => {
    expect(found([allow(vault), deposit(5n)])).to.deep.equal(["ALLOWANCE_LEFT@0"]);
    expect(found([allow(vault, 7n), deposit(5n)])).to.deep.equal(["ALLOWANCE_LEFT@0"]);
    expect(found([allow(vault, 7n)])).to.include("ALLOWANCE_LEFT@0");
    expect(found([allow(vault), deposit(5n), allow(vault, 0n)])).to.deep.equal([]);
    expect(found([allow(pool), unknown(pool), sweep])).to.deep.equal(["ALLOWANCE_LEFT@0"]);
    expect(found([allow(pool, 5n), unknown(pool), sweep])).to.deep.equal([]);
  });

  it("AMOUNT_EXCEEDED: the calls spend more of a token than the exact output", () => {
    expect(found([allow(vault, 6n), deposit(6n)])).to.deep.equal(["!AMOUNT_EXCEEDED@1"]);
    expect(found([transfer(3n), transfer(3n)])).to.deep.equal(["!AMOUNT_EXCEEDED@1"]);
    expect(found([transfer(2n), transfer(3n)])).to.deep.equal([]);
    expect(found([transfer(6n)], exactInput)).not.to.include("!AMOUNT_EXCEEDED@0");
  });

  it("APPROVAL_MISDIRECTED: another contract was approved than the one called", () => {
    expect(found([allow(pool, 5n), deposit(5n)])).to.deep.equal(["!APPROVAL_MISDIRECTED@0"]);
    expect(found([allow(pool, 5n), unknown(vault), sweep])).to.deep.equal(["APPROVAL_MISDIRECTED@0"]);
    expect(found([allow(pool, 5n), sweep])).to.deep.equal(["APPROVAL_MISDIRECTED@0"]);
    expect(found([allow(pool, 5n), allow(vault, 5n), unknown(vault), unknown(pool), sweep])).to.deep.equal(
      [],
    );
  });

  it("APPROVAL_MISSING: a call takes a token and nothing was approved", () => {
    expect(found([deposit(5n)])).to.deep.equal(["!APPROVAL_MISSING@0"]);
    expect(found([supply(5n)])).to.deep.equal(["!APPROVAL_MISSING@0"]);
    expect(found([unknown(vault), sweep])).to.deep.equal(["APPROVAL_MISSING@0"]);
    // An approval of another token does not help.
    expect(found([allow(pool, 5n), supply(5n, other), unknown(pool), sweep])).to.deep.equal([
      "!APPROVAL_MISSING@1",
    ]);
    // A target that received tokens before, or cannot pull any, needs no approval.
    const sent = contractCall({ abi: erc20Abi, address: token, args: [vault, 5n], functionName: "transfer" });
    expect(found([sent, unknown(vault)])).to.deep.equal([]);
    expect(found([unknown(vault)], { ...native, amount: 0n })).to.deep.equal([]);
    expect(found([unknown(token), unknown(router), sweep])).to.deep.equal([]);
  });

  it("APPROVAL_NOT_RESET: a token like USDT refuses to change an allowance", () => {
    const resetTokens = [token] as const;
    expect(found([allow(vault, 5n), deposit(5n)], { resetTokens })).to.deep.equal(["APPROVAL_NOT_RESET@0"]);
    expect(found([allow(vault, 0n), allow(vault, 5n), deposit(5n)], { resetTokens })).to.deep.equal([]);
    expect(found([allow(vault, 0n), allow(vault, 2n), allow(vault, 5n), deposit(5n)], { resetTokens }))
      .to.deep //
      .equal(["!APPROVAL_NOT_RESET@2"]);
    expect(found([allow(vault, 5n), deposit(5n)], { resetTokens: [other] })).to.deep.equal([]);
  });

  it("APPROVAL_SHORT: less was approved than a call takes", () => {
    expect(found([allow(vault, 4n), deposit(5n)])).to.deep.equal(["!APPROVAL_SHORT@0"]);
    expect(found([allow(vault, 5n), deposit(3n), deposit(2n)])).to.deep.equal([]);
    expect(found([allow(vault, 4n), deposit(3n), deposit(2n)])).to.deep.equal(["!APPROVAL_SHORT@0"]);
  });

  it("CONTRACT_WITHOUT_REFUND: the user is a contract and no refundTo is given", () => {
    expect(found([], { userIsContract: true })).to.deep.equal(["!CONTRACT_WITHOUT_REFUND@all"]);
    expect(found([], { refundTo: recipient, userIsContract: true })).to.deep.equal([]);
    expect(found([], { userIsContract: false })).to.deep.equal([]);
  });

  it("FIXED_AMOUNT: calldata holds an amount that EXACT_INPUT leaves open", () => {
    expect(found([allow(vault, 5n), deposit(5n), sweep], exactInput)).to.deep.equal(["FIXED_AMOUNT@1"]);
    expect(found([transfer(5n), sweep], exactInput)).to.deep.equal(["FIXED_AMOUNT@0"]);
    expect(found([pay(5n)], { ...exactInput, ...native })).to.deep.equal(["FIXED_AMOUNT@0"]);
    expect(found([allow(vault, 5n), deposit(5n), sweep])).to.deep.equal([]);
    expect(found([sweep], exactInput)).to.deep.equal([]);
  });

  it("LEFTOVER: a token stays on the router", () => {
    expect(found([transfer(3n)])).to.deep.equal(["LEFTOVER@0"]);
    expect(found([transfer(3n), sweep])).to.deep.equal([]);
    expect(found([transfer(3n), partly([1n])])).to.deep.equal(["LEFTOVER@0"]);
    // A swap that pays the router leaves its output there.
    expect(found([allow(pool, 5n), swap(router)])).to.deep.equal(["LEFTOVER@1"]);
    expect(found([allow(pool, 5n), swap(recipient)])).to.deep.equal([]);
    const both = sweepErc20s({ recipient, router, tokens: [token, other] });
    expect(found([allow(pool, 5n), swap(router), both])).to.deep.equal([]);
    // The router refunds native currency itself.
    expect(found([pay(5n)], { ...native, amount: 5n })).to.deep.equal([]);
    const wrap = contractCall({ abi: wrapAbi, address: other, args: [], functionName: "deposit", value: 5n });
    expect(found([wrap], native)).to.deep.equal(["LEFTOVER@0"]);
  });

  it("NO_CODE: a call with calldata goes where no code is", () => {
    const withoutCode = [recipient] as const;
    expect(found([pay(5n, "0x12345678")], { ...native, withoutCode })).to.deep.equal(["!NO_CODE@0"]);
    expect(found([pay(5n)], { ...native, withoutCode })).to.deep.equal([]);
    expect(found([pay(5n, "0x12345678", vault)], { ...native, withoutCode })).to.deep.equal([]);
  });

  it("SWEEP_BEFORE_SPEND: a sweep removes tokens that a later call needs", () => {
    expect(found([sweep, allow(vault, 5n), deposit(5n)])).to.deep.equal(["!SWEEP_BEFORE_SPEND@0"]);
    expect(found([sweepAll, pay(5n)], native)).to.deep.equal(["!SWEEP_BEFORE_SPEND@0"]);
    expect(found([allow(vault, 5n), deposit(5n), sweep, allow(vault, 0n)])).to.deep.equal([]);
    // An unknown call may return the token.
    expect(found([sweep, unknown(router), transfer(5n)])).to.deep.equal([]);
    // A swap returns the token for certain.
    const sold = { ...swap(router), to: pool } as const;
    const otherSwept = sweepErc20s({ recipient, router, tokens: [other] });
    expect(found([allow(pool, 5n), otherSwept, sold, otherSwept])).to.deep.equal([]);
  });

  it("VALUE_SUM: values and amount differ, or there is no native currency to send", () => {
    expect(found([pay(4n)], native)).to.deep.equal(["!VALUE_SUM@all"]);
    expect(found([pay(2n), pay(3n)], native)).to.deep.equal([]);
    expect(found([pay(1n), sweep])).to.deep.equal(["!VALUE_SUM@0"]);
    const unwrap = contractCall({ abi: wrapAbi, address: token, args: [5n], functionName: "withdraw" });
    expect(found([unwrap, pay(5n)])).to.deep.equal([]);
    expect(found([allow(pool, 5n), unknown(pool), pay(5n), sweep])).to.deep.equal([]);
  });

  it("WRONG_ROUTER: a sweep goes elsewhere, or is of another version", () => {
    const older = sweepNative({ recipient, router, routerVersion: "v2.1" });
    const olderToken = sweepErc20s({ recipient, router, routerVersion: "v2.1", tokens: [token] });
    expect(found([pay(5n), sweepNative({ recipient, router: vault })], native)).to.deep.equal([
      "!WRONG_ROUTER@1",
    ]);
    expect(found([pay(5n), older], { ...native, routerVersion: "v3" })).to.deep.equal(["!WRONG_ROUTER@1"]);
    expect(found([olderToken], { routerVersion: "v3" })).to.deep.equal(["!WRONG_ROUTER@0"]);
    expect(found([sweep], { routerVersion: "v2.1" })).to.deep.equal(["!WRONG_ROUTER@0"]);
    expect(found([pay(5n), older], { ...native, routerVersion: "v2.1" })).to.deep.equal([]);
    expect(found([sweep], { router: undefined, routerVersion: "v3" })).to.deep.equal([]);
    const viaCall = contractCall({
      abi: relayRouterV3Abi,
      address: vault,
      args: [0n, recipient, "0x"],
      functionName: "cleanupNativeViaCall",
    });
    expect(found([viaCall], { ...native, amount: 0n, routerVersion: "v3" })).to.deep.equal([
      "!WRONG_ROUTER@0",
    ]);
  });

  it("ZERO_SENTINEL: an amount of zero sweeps everything before another sweep of the same token", () => {
    expect(found([partly([0n, 3n])])).to.deep.equal(["!ZERO_SENTINEL@0"]);
    expect(found([sweep, sweep])).to.deep.equal(["!ZERO_SENTINEL@0"]);
    expect(found([partly([3n, 0n])])).to.deep.equal([]);
    expect(found([pay(5n), sweepAll, sweepAll], native)).to.deep.equal(["!ZERO_SENTINEL@1"]);
  });

  it("takes calls in every form, and names the part of one that cannot be read", () => {
    expect(found([{ data: null, to: recipient, value: null } as unknown as Call], native)).to.deep.equal([
      "!VALUE_SUM@all",
    ]);
    const check = (txs: unknown, more: object = {}) =>
      checkCalls({
        amount: 5n,
        destinationCurrency: token,
        tradeType: "EXACT_OUTPUT",
        txs,
        ...more,
      } as never);
    expectInvalid(() => check([pay(0n), { data: "0x1", to: recipient }]), "txs[1].data");
    expectInvalid(() => check([{ data: "0x", to: "0x1" }]), "txs[0].to");
    expectInvalid(() => check([null]), "txs[0]");
    expectInvalid(() => check([], { amount: "1.5" }), "amount");
    expectInvalid(() => check([], { destinationCurrency: "ETH" }), "destinationCurrency");
    expectInvalid(() => check([], { withoutCode: ["0x"] }), "withoutCode[0]");
  });

  it("throws nothing but typed errors, whatever the calldata is", () => {
    const selectors = [relayRouterV3Abi, relayDepositoryAbi, balanceProxyAbi, erc20Abi].flatMap((abi) =>
      abi.flatMap((item) => (item.type === "function" ? [item] : [])),
    );
    const data = fc.tuple(fc.nat(selectors.length - 1), fc.uint8Array({ maxLength: 260 }));
    fc.assert(
      fc.property(
        fc.array(data, { maxLength: 5 }),
        fc.bigInt({ max: maxUint256, min: 0n }),
        (entries, amount) => {
          const txs = entries.map(([index, bytes]) => {
            const item = selectors[index];
            if (item === undefined) throw new Error("no such function");
            const selector = toFunctionSelector(item);
            return pay(0n, `${selector}${Buffer.from(bytes).toString("hex")}`, vault);
          });
          try {
            expect(
              checkCalls({ amount, destinationCurrency: token, tradeType: "EXACT_OUTPUT", txs }),
            ).to.be.an("array");
          } catch (error) {
            expect(error).to.be.instanceOf(InvalidParameterError);
          }
        },
      ),
      { numRuns: 200 },
    );
  }).timeout(30_000);
});

describe("decodeCall", () => {
  it("names every function of the service's contracts with the selector of the contract's own ABI", () => {
    const abis = [
      balanceProxyAbi,
      erc20Abi,
      relayApprovalProxyV2_1Abi,
      relayApprovalProxyV3Abi,
      relayDepositoryAbi,
      relayReceiverAbi,
      relayRouterV2_1Abi,
      relayRouterV3Abi,
    ].flat();
    const known = new Set(
      abis.flatMap((item) => (item.type === "function" ? [toFunctionSelector(item)] : [])),
    );
    for (const item of [...proxyFunctions, ...serviceFunctions]) {
      expect(known, item.name).to.include(toFunctionSelector(item));
    }
  });

  it("reads bytes after the arguments, and rejects any other deviation", () => {
    const data = encodeFunctionData({ abi: erc20Abi, args: [vault, 5n], functionName: "approve" });
    expect(decodeCall(serviceFunctions, data)).to.deep.include({ functionName: "approve", tag: "0x" });
    expect(decodeCall(serviceFunctions, `${data}abcd`)?.tag).to.equal("0xabcd");
    expect(decodeCall(serviceFunctions, data.slice(0, -2) as Hex)).to.equal(undefined);
    expect(decodeCall(serviceFunctions, `${data.slice(0, 10)}ff${data.slice(12)}` as Hex)).to.equal(
      undefined,
    );
    expect(decodeCall(serviceFunctions, "0x12345678")).to.equal(undefined);
    expect(decodeCall(serviceFunctions, "0x")).to.equal(undefined);
  });
});
