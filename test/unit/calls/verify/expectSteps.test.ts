import { expect } from "chai";
import { encodeFunctionData, erc20Abi } from "viem";
import { Coded, Unmet } from "../../../../src/calls/verify/compareWhole.ts";
import { expectSteps } from "../../../../src/calls/verify/expected/expectSteps.ts";
import {
  amountIn,
  attacker,
  type Changes,
  depository,
  origin,
  requestId,
  solver,
  termsOf,
  token,
  user,
} from "./support/terms.ts";

describe("expectSteps", () => {
  const approve = (spender: `0x${string}`, amount: bigint) => ({
    data: encodeFunctionData({ abi: erc20Abi, args: [spender, amount], functionName: "approve" }),
    to: token,
  });
  const paid = { data: requestId, to: solver, value: "5000" };
  const step = (data: unknown, kind = "transaction") => ({ items: [{ data }], kind });
  const stepsOf = (steps: readonly object[], changes: Changes = {}) => {
    const given = { policy: {}, quote: { steps } as never, ...changes.terms };
    const request = { explicitDeposit: false, originChainId: 1, ...changes.request };
    return expectSteps(termsOf({ ...changes, request, terms: given as never }));
  };

  it("a payment: is sent from the user on the origin chain, with its value and bounded gas", () => {
    const { actual, expected, payment, paymentPath, unmet } = stepsOf([step({ ...paid, gas: "21000" })]);
    const sent = { chainId: 1, data: requestId, from: user, gas: "21000", to: solver, value: amountIn };
    expect(expected).to.deep.equal({ "0.items.0.data": sent });
    expect(actual).to.deep.equal({ "0.items.0.data": sent });
    expect([payment?.kind, paymentPath, unmet]).to.deep.equal(["request", "0.items.0.data", []]);
    const dear = stepsOf([step({ ...paid, from: attacker, gas: "21001" })], {
      terms: { policy: { maximumGas: 21_000n } },
    });
    expect(dear.actual).to.have.nested.property("0\\.items\\.0\\.data.from", attacker);
    expect(dear.expected).to.deep.nested.include({ "0\\.items\\.0\\.data.gas": new Unmet("at most 21000") });
  });

  for (const [what, steps, changes, unmet] of [
    ["no step", [], {}, ["QUOTE_PAYMENT none"]],
    ["two payments", [step(paid), step(paid)], {}, ["QUOTE_PAYMENT payment, payment"]],
    [
      "another virtual machine",
      [step(paid)],
      { terms: { origin: { ...origin, vmType: "svm" } } },
      ["QUOTE_CALL svm"],
    ],
    [
      "a step of an unknown kind",
      [step({ to: solver }, "magic")],
      {},
      ["QUOTE_CALL magic", "QUOTE_PAYMENT unknown"],
    ],
    ["a transaction without a target", [step({ data: "0x" })], {}, ["QUOTE_PAYMENT unknown"]],
    ["a transaction without data", [step(undefined)], {}, ["QUOTE_PAYMENT unknown"]],
    ["a signature without data", [step(undefined, "signature")], {}, ["QUOTE_PAYMENT unknown"]],
    ["a payment that cannot be encoded", [step({ ...paid, value: "much" })], {}, ["QUOTE_PAYMENT unknown"]],
    ["a short id", [step(paid)], { terms: { requestId: `${requestId}00` } }, ["QUOTE_REQUEST_ID 0x2222"]],
  ] as const) {
    it(`${what}: is named`, () => {
      const found = stepsOf(steps, changes as never).unmet.map(
        ({ actual, code }) => `${code} ${actual?.slice(0, 24)}`,
      );
      expect(found.map((each) => each.replace(/(0x2222).*/, "$1"))).to.deep.equal(unmet);
    });
  }

  for (const [what, data, kind, text] of [
    ["much", { ...paid, value: "much" }, "transaction", "a payment that can be encoded"],
    ["no target", { data: "0x" }, "transaction", "an EVM transaction or a signature"],
  ] as const) {
    it(`a payment with ${what}: is expected in words`, () => {
      const { actual, expected } = stepsOf([step(data, kind)]);
      expect(actual).to.deep.equal({ "0.items.0.data": {} });
      const [unmet] = Object.values(expected) as Unmet[];
      expect(unmet).to.include({ code: "QUOTE_CALL", text });
    });
  }

  const deposit = encodeFunctionData({
    abi: [
      {
        inputs: [
          { name: "depositor", type: "address" },
          { name: "token", type: "address" },
          { name: "amount", type: "uint256" },
          { name: "id", type: "bytes32" },
        ],
        name: "depositErc20",
        outputs: [],
        stateMutability: "nonpayable",
        type: "function",
      },
    ] as const,
    args: [user, token, amountIn, `0x${"11".repeat(32)}`],
  });
  const depositStep = step({ data: deposit, to: depository });
  const approvals = (steps: readonly object[], policy: object = {}) =>
    Object.values(stepsOf(steps, { from: token, terms: { policy } }).expected) as {
      data: unknown;
      to: unknown;
      value: bigint;
    }[];

  it("approvals: allow the payment's spender nothing, then exactly the payment", () => {
    const [reset, allowance] = approvals([
      step(approve(depository, 0n)),
      step(approve(attacker, 1n)),
      depositStep,
    ]);
    expect([reset?.data, allowance?.data]).to.deep.equal([
      approve(depository, 0n).data,
      approve(depository, amountIn).data,
    ]);
    expect(allowance).to.deep.include({ to: new Coded(token, "QUOTE_CURRENCY"), value: 0n });
    const [larger] = approvals([step(approve(depository, amountIn + 1n)), depositStep], {
      maximumAllowance: 2n ** 255n,
    });
    expect(larger?.data).to.equal(approve(depository, amountIn).data);
  });

  it("an approval before a payment that pulls nothing: is none", () => {
    const transfer = encodeFunctionData({
      abi: erc20Abi,
      args: [solver, amountIn],
      functionName: "transfer",
    });
    const [first] = approvals([
      step(approve(solver, amountIn)),
      step({ data: `${transfer}${requestId.slice(2)}`, to: token }),
    ]);
    expect(first?.data).to.deep.equal(new Unmet("no approval, as nobody pulls", "QUOTE_SPENDER"));
  });
});
