import { expect } from "chai";
import { type Address, concat, encodeFunctionData, type Hex, toHex, zeroAddress } from "viem";
import { Coded, Unmet } from "../../../../src/calls/verify/compareWhole.ts";
import { abi, depositNative, depositOf, expectedOf, sameChain } from "./support/payments.ts";
import {
  account,
  amountIn,
  attacker,
  type Changes,
  depository,
  orderId,
  other,
  receiver,
  recipient,
  requestId,
  solver,
  stray,
  termsOf,
  token,
  user,
  wrapped,
} from "./support/terms.ts";

const transferTo = (to: Address, id: Hex, amount = amountIn) =>
  concat([encodeFunctionData({ abi, args: [to, amount], functionName: "transfer" }), id]);
const forwardOf = (id: Hex) => encodeFunctionData({ abi, args: [id], functionName: "forward" });
const paidToken = new Coded(token, "QUOTE_CURRENCY");
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
