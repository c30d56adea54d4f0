import { expect } from "chai";
import {
  type Address,
  concat,
  encodeFunctionData,
  getAddress,
  type Hex,
  pad,
  parseAbi,
  toHex,
  zeroAddress,
} from "viem";
import { decodeCall } from "../../../../src/calls/decodeCall.ts";
import { Coded, Unmet } from "../../../../src/calls/verify/compareWhole.ts";
import { expectPayment } from "../../../../src/calls/verify/expected/expectTransaction.ts";
import { proofFunctions, type RoutedCall } from "../../../../src/calls/verify/routedCalls.ts";
import type { Terms } from "../../../../src/calls/verify/Terms.ts";

const account = (last: string) => pad(`0x${last}`, { size: 20 });
const [user, recipient, attacker, solver] = ["0a", "0b", "bad0", "50"].map(account) as [
  Address,
  Address,
  Address,
  Address,
];
const [depository, receiver, wrapped, token, other] = ["d0", "d1", "d2", "20", "21"].map(account) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const [router, proxy, olderRouter, olderProxy] = ["f0", "f1", "f2", "f3"].map(account) as [
  Address,
  Address,
  Address,
  Address,
];
const [orderId, requestId, stray] = ["11", "22", "33"].map((byte) => `0x${byte.repeat(32)}`) as [
  Hex,
  Hex,
  Hex,
];
const amountIn = 5_000n;

const abi = parseAbi([
  "function transfer(address to, uint256 amount)",
  "function depositNative(address depositor, bytes32 id)",
  "function forward(bytes data)",
  "function cleanupNativeViaCall(uint256 amount, address to, bytes data)",
]);
const depositAbi = parseAbi([
  "function depositErc20(address depositor, address token, uint256 amount, bytes32 id)",
]);
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

const origin = {
  chainId: 1,
  depository,
  name: "base",
  relayReceiver: receiver,
  routers: [
    { approvalProxy: olderProxy, router: olderRouter, version: "v2.1" },
    { approvalProxy: proxy, router, version: "v3" },
  ],
  wrappedNative: wrapped,
} as const;

type Changes = {
  readonly from?: Address;
  readonly to?: Address;
  readonly terms?: Partial<Terms>;
  readonly request?: object;
};

/** Terms of a payment of 5,000 units: across chains and for an order by default. */
function termsOf({ from = zeroAddress, request, terms, to = token }: Changes): Terms {
  return {
    amountIn,
    isNative: from === zeroAddress,
    isSameChain: false,
    kind: "order",
    minimumOut: amountIn,
    orderId,
    origin,
    ownAccounts: [user, recipient],
    quote: {},
    recipient,
    request: { destinationCurrency: to, originCurrency: from, user, ...request },
    requestId,
    trust: { chains: [origin], solvers: [account("51"), solver] },
    txs: [],
    ...terms,
  } as unknown as Terms;
}

const expectedOf = (to: string, data: Hex, changes: Changes) =>
  expectPayment(termsOf(changes), { chainId: 1, data, to } as never, decodeCall(proofFunctions, data));

const transferTo = (to: Address, id: Hex, amount = amountIn) =>
  concat([encodeFunctionData({ abi, args: [to, amount], functionName: "transfer" }), id]);
const depositNative = encodeFunctionData({ abi, args: [user, orderId], functionName: "depositNative" });
const depositOf = (currency: Address, amount = amountIn) =>
  encodeFunctionData({ abi: depositAbi, args: [user, currency, amount, orderId] });
const forwardOf = (id: Hex) => encodeFunctionData({ abi, args: [id], functionName: "forward" });
const paidToken = new Coded(token, "QUOTE_CURRENCY");
const sameChain = { isSameChain: true, kind: "sameChain" } as const;
const notOne = [
  new Unmet(other, "QUOTE_CURRENCY", token),
  new Unmet("at least 5001", "QUOTE_OUTPUT", "5000"),
  new Unmet("the calls that were asked for", "QUOTE_CALLS", "none"),
];
const worse = { minimumOut: amountIn + 1n, txs: [{ data: "0x", to: user, value: 0n }] } as const;

describe("expectPayment", () => {
  type Row = readonly [what: string, to: Address, data: Hex, changes: Changes, expected: object];
  const rows: readonly Row[] = [
    [
      "a native deposit",
      depository,
      depositNative,
      {},
      { data: depositNative, kind: "order", puller: undefined, to: depository },
    ],
    [
      "a deposit of a token, by another amount and with a tag",
      depository,
      concat([depositOf(token, 1n), stray]),
      { from: token },
      { data: concat([depositOf(token), requestId]), kind: "order", puller: depository, to: depository },
    ],
    [
      "a transfer with the request's id to a stranger",
      token,
      transferTo(attacker, requestId, 1n),
      { from: token },
      { data: transferTo(account("51"), requestId), kind: "request", to: paidToken },
    ],
    [
      "a transfer with the request's id to a later solver",
      token,
      transferTo(solver, requestId),
      { from: token },
      { data: transferTo(solver, requestId), kind: "request", to: paidToken },
    ],
    [
      "a transfer on one chain",
      token,
      transferTo(attacker, requestId),
      { from: token, terms: sameChain },
      { data: transferTo(recipient, requestId), kind: "sameChain", to: paidToken, unmet: [] },
    ],
    [
      "a transfer on one chain for another currency, more output and calls",
      token,
      transferTo(recipient, requestId),
      { from: token, terms: { ...sameChain, ...worse }, to: other },
      { data: transferTo(recipient, requestId), kind: "sameChain", to: paidToken, unmet: notOne },
    ],
    [
      "a transfer with the order's id",
      token,
      transferTo(attacker, orderId),
      { from: token, request: { explicitDeposit: false } },
      { data: transferTo(depository, orderId), kind: "order", to: paidToken, unmet: [] },
    ],
    [
      "a transfer with an order's id that reads as padding",
      token,
      transferTo(depository, toHex(7n, { size: 32 })),
      { from: token, request: { explicitDeposit: false }, terms: { orderId: toHex(7n, { size: 32 }) } },
      {
        data: transferTo(depository, toHex(7n, { size: 32 })),
        kind: "order",
        to: paidToken,
        unmet: [new Unmet("an id that is read", "QUOTE_ORDER_ID", toHex(7n, { size: 32 }))],
      },
    ],
    [
      "native currency for the request to a later solver",
      solver,
      requestId,
      {},
      { data: requestId, kind: "request", to: solver },
    ],
    [
      "native currency to the receiver",
      receiver,
      requestId,
      {},
      { data: requestId, kind: "request", to: receiver },
    ],
    [
      "forwarded currency",
      attacker,
      forwardOf(stray),
      {},
      { data: forwardOf(requestId), kind: "request", to: receiver },
    ],
    [
      "native currency on one chain",
      attacker,
      requestId,
      { terms: sameChain, to: zeroAddress },
      {
        codeless: recipient,
        data: requestId,
        kind: "sameChain",
        to: new Coded(recipient, "QUOTE_RECIPIENT"),
        unmet: [],
      },
    ],
    [
      "a wrap for the user",
      wrapped,
      concat(["0xd0e30db0", stray]),
      { terms: { ...sameChain, recipient: user }, to: wrapped },
      { data: concat(["0xd0e30db0", requestId]), kind: "sameChain", to: wrapped, unmet: [] },
    ],
    [
      "an unwrap for the user",
      wrapped,
      concat(["0x2e1a7d4d", toHex(1n, { size: 32 }), stray]),
      { from: wrapped, terms: { ...sameChain, recipient: user }, to: zeroAddress },
      {
        data: concat(["0x2e1a7d4d", toHex(amountIn, { size: 32 }), requestId]),
        kind: "sameChain",
        to: wrapped,
        unmet: [],
      },
    ],
    [
      "a wrap for another account, into another token, for more output and calls",
      wrapped,
      concat(["0xd0e30db0", requestId]),
      { terms: { ...sameChain, ...worse }, to: token },
      {
        data: concat(["0xd0e30db0", requestId]),
        kind: "sameChain",
        to: wrapped,
        unmet: [
          new Unmet("native currency and its wrapped form", "QUOTE_CURRENCY", `${zeroAddress} and ${token}`),
          new Unmet(recipient, "QUOTE_RECIPIENT", user),
          ...notOne.slice(1),
        ],
      },
    ],
    [
      "an unwrap of the wrapped currency into a token",
      wrapped,
      concat(["0x2e1a7d4d", toHex(amountIn, { size: 32 }), requestId]),
      { from: wrapped, terms: { ...sameChain, recipient: user }, to: token },
      {
        data: concat(["0x2e1a7d4d", toHex(amountIn, { size: 32 }), requestId]),
        kind: "sameChain",
        to: wrapped,
        unmet: [
          new Unmet("native currency and its wrapped form", "QUOTE_CURRENCY", `${token} and ${wrapped}`),
        ],
      },
    ],
  ];
  for (const [what, to, data, changes, expected] of rows) {
    it(`${what}: is expected as the request has it`, () => {
      expect(expectedOf(to, data, changes)).to.deep.equal(expected);
    });
  }

  const refused: readonly (readonly [what: string, data: Hex, changes: Changes])[] = [
    ["a native deposit of a token", depositNative, { from: token }],
    ["a deposit of a token in native currency", depositOf(token), {}],
    ["a transfer in native currency", transferTo(solver, requestId), {}],
    ["a transfer with the order's id that nobody reads", transferTo(depository, orderId), { from: token }],
    ["the request's id with a token", requestId, { from: token }],
    ["the id of another request", stray, {}],
    ["forwarded currency on one chain", forwardOf(requestId), { terms: sameChain }],
    ["a forward of a token", forwardOf(requestId), { from: token }],
    ["an unwrap of native currency", "0x2e1a7d4d", { terms: sameChain }],
    ["a wrap of a token", "0xd0e30db0", { from: token, terms: sameChain }],
    ["a wrap across chains", "0xd0e30db0", {}],
  ];
  for (const [what, data, changes] of refused) {
    it(`${what}: is no payment of the service`, () => {
      const { kind } = termsOf(changes);
      const unmet = new Unmet("a payment of the service", "QUOTE_CALL", data.slice(0, 10));
      expect(expectedOf(attacker, data, changes)).to.deep.equal({ data: unmet, kind, to: attacker });
    });
  }

  for (const [role, to, data, changes] of [
    ["depository", depository, depositNative, {}],
    ["depository", depository, depositOf(token), { from: token }],
    ["receiver", receiver, forwardOf(requestId), {}],
    ["wrapped native currency", wrapped, "0xd0e30db0", { terms: { ...sameChain, recipient: user } }],
  ] as const) {
    it(`${role} of a chain without one, called with ${data.slice(0, 10)}: has no expected target`, () => {
      const terms = { origin: undefined, ...("terms" in changes ? changes.terms : {}) };
      const expected = expectedOf(to, data, { ...changes, terms });
      expect(expected.to).to.deep.equal(
        new Unmet(`a trusted ${role}`, "QUOTE_UNKNOWN_ROLE", "none is known"),
      );
      expect(expected.unmet ?? []).to.deep.equal([]);
      if ("from" in changes) expect(expected.puller).to.equal(depository);
    });
  }

  it("a transfer with an id where no solver or depository is trusted: pays no account", () => {
    const unknown = { origin: undefined, trust: { chains: [], solvers: [] } };
    const dataFor = (id: Hex) =>
      expectedOf(token, transferTo(solver, id), {
        from: token,
        request: { explicitDeposit: false },
        terms: unknown,
      }).data;
    const none = (role: string) => new Unmet(`a trusted ${role}`, "QUOTE_UNKNOWN_ROLE", "none is known");
    expect(dataFor(requestId)).to.deep.equal(none("solver"));
    expect(dataFor(orderId)).to.deep.equal(none("depository"));
  });
});

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

  it("a router of an unknown chain: has no target, no claim, and pulls for nobody else", () => {
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
