import { expect } from "chai";
import { type Address, concat, encodeFunctionData, getAddress, type Hex, parseAbi, zeroAddress } from "viem";
import { Unmet } from "../../../../src/calls/verify/compareWhole.ts";
import type { RoutedCall } from "../../../../src/calls/verify/routedCalls.ts";
import { abi, depositNative, depositOf, expectedOf, sameChain } from "./support/payments.ts";
import {
  amountIn,
  attacker,
  type Changes,
  depository,
  olderRouter,
  orderId,
  origin,
  other,
  proxy,
  recipient,
  requestId,
  router,
  stray,
  token,
  user,
} from "./support/terms.ts";

const shortDepositAbi = parseAbi(["function depositErc20(address depositor, address token, bytes32 id)"]);
const viaCallAbi = parseAbi([
  "function cleanupErc20sViaCall(address[] tokens, address[] tos, bytes[] datas, uint256[] amounts)",
]);
const call3 = "struct Call3 { address target; bool allowFailure; uint256 value; bytes callData; }";
const v3 = parseAbi([
  call3,
  "function multicall(Call3[] calls, address refundTo, address nftRecipient, bytes metadata)",
  "function transferAndMulticall(address[] tokens, uint256[] amounts, Call3[] calls, address refundTo, address nftRecipient, bytes metadata)",
]);
const v2 = parseAbi([call3, "function multicall(Call3[] calls, address refundTo, address nftRecipient)"]);

describe("expectPayment by a router", () => {
  const swap: RoutedCall = { allowFailure: true, callData: "0xab", target: getAddress(attacker), value: 3n };
  const asked = { data: "0xcd", to: other, value: 2n } as const;
  const askedCall: RoutedCall = { allowFailure: false, callData: "0xcd", target: other, value: 2n };
  const multicall = (calls: readonly RoutedCall[], metadata: Hex = requestId, to = recipient) =>
    encodeFunctionData({ abi: v3, args: [calls, to, to, metadata], functionName: "multicall" });
  const proxied = (calls: readonly RoutedCall[], tokens = [token], amounts = [amountIn]) =>
    encodeFunctionData({
      abi: v3,
      args: [tokens, amounts, calls, user, zeroAddress, requestId],
      functionName: "transferAndMulticall",
    });
  const onOneChain = (changes: Changes = {}): Changes => ({
    ...changes,
    terms: { ...sameChain, ...changes.terms },
  });
  const gain = {
    account: recipient,
    calls: [swap],
    currency: token,
    index: 0,
    isOpen: true,
    kind: "gain",
    minimum: amountIn,
    router,
    version: "v3",
  };

  it("native currency: goes to the router that the quote names, for this request and own accounts", () => {
    const expected = expectedOf(router, multicall([swap], stray, attacker), onOneChain());
    expect(expected).to.deep.include({
      claim: gain,
      isSwapped: true,
      kind: "sameChain",
      puller: undefined,
      to: router,
    });
    expect(expected.data).to.equal(
      encodeFunctionData({
        abi: v3,
        args: [[swap], user, zeroAddress, requestId],
        functionName: "multicall",
      }),
    );
    expect(expectedOf(router, multicall([swap], "0x"), onOneChain()).data).to.equal(multicall([swap], "0x"));
    expect(expectedOf(attacker, multicall([swap]), onOneChain()).to).to.equal(router);
  });

  it("the older version: goes to its own router, without metadata and with its tag", () => {
    const data = encodeFunctionData({ abi: v2, args: [[swap], user, zeroAddress] });
    const expected = expectedOf(router, concat([data, stray]), onOneChain());
    expect(expected).to.deep.include({
      claim: { ...gain, router: olderRouter, version: "v2.1" },
      data: concat([data, requestId]),
      to: olderRouter,
    });
  });

  it("a token: is pulled by the approval proxy, in the paid currency and amount", () => {
    const data = proxied([swap], [other], [1n]);
    const expected = expectedOf(attacker, data, onOneChain({ from: token }));
    expect(expected).to.deep.include({ data: proxied([swap]), puller: proxy, to: proxy });
  });

  it("a router of an unknown chain: is no trusted target and has no claim, and the tokens are expected at its own address", () => {
    const terms = { origin: undefined };
    const expected = expectedOf(other, proxied([swap]), onOneChain({ from: token, terms }));
    const role = new Unmet("a trusted approval proxy v3", "QUOTE_UNKNOWN_ROLE", "none is known");
    expect(expected).to.deep.include({ claim: undefined, puller: other, to: role });
    const native = expectedOf(other, multicall([swap]), onOneChain({ terms }));
    expect(native.to).to.have.property("text", "a trusted router v3");
  });

  it("the wrong side for the currency: is no payment", () => {
    for (const [from, data] of [
      [token, multicall([swap])],
      [zeroAddress, proxied([swap])],
    ] as const) {
      expect(expectedOf(router, data, onOneChain({ from })).data).to.have.property("code", "QUOTE_CALL");
    }
  });

  it("requested calls: come last, unfailing, after a claim of the router's balance and a sweep", () => {
    const terms = { txs: [asked] };
    const { claim, unmet } = expectedOf(router, multicall([swap, swap]), onOneChain({ terms }));
    const calls = [swap, swap];
    expect(claim).to.deep.equal({ ...gain, account: router, calls, index: 1, kind: "balance" });
    expect(unmet).to.have.length(1);
    expect(unmet?.[0]).to.include({ actual: "another call", code: "QUOTE_CALLS" });
    const native = expectedOf(router, multicall([swap, swap]), onOneChain({ terms, to: zeroAddress }));
    expect(native.unmet).to.deep.equal([]);
    const data = encodeFunctionData({
      abi: v3,
      args: [[swap, askedCall], recipient, recipient, requestId],
      functionName: "multicall",
    });
    expect(native.data).to.equal(data);
  });

  describe("for an order", () => {
    const quoteOf = (currency: Address) => ({
      protocol: {
        v2: { orderData: { inputs: [{ payment: { amount: "700", currency } }] } },
      },
    });
    const lastOf = (last: Partial<RoutedCall>, currency = zeroAddress as Address) => {
      const given = multicall([swap, { ...swap, ...last } as RoutedCall]);
      return expectedOf(router, given, { terms: { quote: quoteOf(currency) as never } });
    };
    const withLast = (last: Pick<RoutedCall, "callData" | "target" | "value">) =>
      multicall([swap, { allowFailure: false, ...last }]);
    const viaCall = (amount: bigint, data: Hex) =>
      encodeFunctionData({ abi, args: [amount, depository, data], functionName: "cleanupNativeViaCall" });
    const tokenViaCall = (amount: bigint, data: Hex) =>
      encodeFunctionData({ abi: viaCallAbi, args: [[token], [depository], [data], [amount]] });
    const shortDeposit = encodeFunctionData({ abi: shortDepositAbi, args: [user, token, orderId] });
    const gained = { ...gain, account: depository, index: 1, kind: "gain", minimum: 700n };

    for (const [what, currency, given, expected, claimed] of [
      ["a native deposit", zeroAddress, depositNative, [depository, depositNative, 700n], false],
      ["a token's deposit", token, depositOf(token, 1n), [depository, depositOf(token, 700n), 0n], false],
      [
        "a native deposit of an amount by the router",
        zeroAddress,
        viaCall(1n, "0x"),
        [router, viaCall(700n, depositNative), 0n],
        false,
      ],
      [
        "a native deposit of all by the router",
        zeroAddress,
        viaCall(0n, "0x"),
        [router, viaCall(0n, depositNative), 0n],
        true,
      ],
      [
        "a token's deposit of an amount by the router",
        token,
        tokenViaCall(1n, shortDeposit),
        [router, tokenViaCall(700n, depositOf(token, 700n)), 0n],
        false,
      ],
      [
        "a token's deposit of all by the router, by amount",
        token,
        tokenViaCall(0n, "0x"),
        [router, tokenViaCall(0n, depositOf(token, 700n)), 0n],
        true,
      ],
      [
        "a token's deposit of all by the router, without an amount",
        token,
        tokenViaCall(0n, shortDeposit),
        [router, tokenViaCall(0n, shortDeposit), 0n],
        true,
      ],
    ] as const) {
      it(`${what}: is expected last, for the order and its amount`, () => {
        const found = lastOf({ callData: given }, currency);
        const [target, callData, value] = expected;
        expect(found.data).to.equal(withLast({ callData, target, value }));
        const calls = [swap, { ...swap, callData: given }];
        expect(found.claim).to.deep.equal(claimed ? { ...gained, calls, currency } : undefined);
        expect(found.unmet).to.equal(undefined);
      });
    }

    for (const [what, currency, callData] of [
      ["a token's deposit without an amount by itself", token, shortDeposit],
      ["a native deposit of a token", token, depositNative],
      ["a token's deposit by the router of native currency", zeroAddress, tokenViaCall(0n, "0x")],
      ["a native deposit by the router of a token", token, viaCall(0n, "0x")],
      ["another call", zeroAddress, "0xab"],
    ] as const) {
      it(`${what}: is no deposit of the order`, () => {
        const { unmet } = lastOf({ callData }, currency);
        expect(unmet).to.deep.equal([
          new Unmet(`a deposit of ${orderId} as the last call`, "QUOTE_ORDER_ID", "none"),
        ]);
      });
    }

    it("no order, no calls, or no depository: claims nothing", () => {
      for (const quote of [{}, { protocol: {} }, { protocol: { v2: {} } }, quoteOf(zeroAddress)]) {
        const { claim, data } = expectedOf(router, multicall([]), { terms: { quote: quote as never } });
        expect([claim, data]).to.deep.equal([undefined, multicall([])]);
      }
      const terms = { origin: { ...origin, depository: undefined }, quote: quoteOf(zeroAddress) as never };
      const { unmet } = expectedOf(router, multicall([swap]), { terms });
      expect(unmet).to.deep.equal([new Unmet("a trusted depository", "QUOTE_UNKNOWN_ROLE", "none is known")]);
    });
  });
});
