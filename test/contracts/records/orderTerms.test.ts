import { readFileSync } from "node:fs";
import { expect } from "chai";
import { getAddress, keccak256, toUtf8Bytes, ZeroAddress, ZeroHash } from "ethers";
import { network } from "hardhat";
import type { Hex } from "viem";
import { normalizeOrder } from "../../../src/records/normalizeOrder.ts";
import type { Order } from "../../../src/records/Order.ts";
import type { WireOrder } from "../../../src/records/WireOrder.ts";
import { compileSources, repositoryRoot } from "../../helpers/contracts/compileSources.ts";
import { orderIdOf, orderStruct, signOrder } from "../../helpers/contracts/signedOrder.ts";
import { compactSignature, mirroredSignature, testWallet } from "../../helpers/contracts/signedRecord.ts";

// Before the deadlines of the published orders.
const initialDate = new Date(1_770_000_000_000);
const { ethers } = await network.create({ override: { initialDate } });
const checker = await ethers.deployContract("TermsChecker");
const library = await ethers.getContractAt("OrderTerms", checker);

type Published = { readonly order: Order; readonly signature: string; readonly orderId?: Hex };
type Terms = ReturnType<typeof termsOf>;

const hashOfName = (name: string): string => keccak256(toUtf8Bytes(name));

/** Reads a vector. One without the service's signature is signed by a test key, which then is its solver. */
function readVector(name: string): Published {
  const { orderData, orderId, orderSignature } = JSON.parse(
    readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), "utf8"),
  ) as { orderData: WireOrder; orderId: Hex; orderSignature?: string };
  const order = normalizeOrder({ orderData });
  if (orderSignature !== undefined) return { order, orderId, signature: orderSignature };
  const solver = testWallet(19);
  const ours = { ...order, solver: solver.address as Hex };
  return { order: ours, signature: signOrder(solver, ours) };
}

const vectors = ["order-base-robinhood-signed", "order-base-arbitrum", "order-base-optimism"].map(
  (name) => [name, readVector(name)] as const,
);

/** The strictest terms that the order satisfies. */
function termsOf({ inputs: [input], output, solver }: Order) {
  const [payment, refund] = [output.payments[0], input?.refunds[0]];
  if (!input || !payment || !refund) throw new Error("The order has not the published form.");
  return {
    solver,
    originChain: hashOfName(input.payment.chainId),
    currency: input.payment.currency,
    amount: input.payment.amount,
    refundTo: refund.recipient,
    destinationChain: hashOfName(output.chainId),
    recipient: keccak256(payment.recipient),
    outputCurrency: keccak256(payment.currency),
    minimumAmount: payment.minimumAmount,
    callsHash: ZeroHash,
    earliestDeadline: output.deadline,
    latestDeadline: output.deadline,
    maximumFees: 0n,
  };
}

type Path = readonly (string | number)[];

/** Paths of all leaves: members that are no structs, and empty lists. */
function findLeaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  if (members.length === 0) return [path];
  return members.flatMap(([key, member]) => findLeaves(member, [...path, key]));
}

function changeLeaf(value: unknown): unknown {
  if (typeof value === "bigint") return value === 0n ? 1n : value - 1n;
  if (typeof value === "number") return value - 1;
  if (typeof value !== "string") return value;
  if (!value.startsWith("0x")) return `${value}x`;
  const last = value.endsWith("1") ? "2" : "1";
  return `${value.slice(0, -1)}${last}`.toLowerCase();
}

/** Replaces the value at a path. */
function replaceAt(value: unknown, [key, ...rest]: Path, change: (leaf: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.map((member, index) => (index === key ? replaceAt(member, rest, change) : member));
  }
  const struct = value as Record<string, unknown>;
  return { ...struct, [key]: replaceAt(struct[key], rest, change) };
}

const fee = {
  recipientChainId: "base",
  recipient: "0x",
  currencyChainId: "base",
  currency: "0x",
  amount: 1n,
};

/** The error for each leaf; members that are missing here are free, and only the signature binds them. */
const errors: Readonly<Record<string, string>> = {
  version: "VersionDiffers",
  solver: "SolverDiffers",
  "inputs.0.payment.chainId": "InputChainDiffers",
  "inputs.0.payment.currency": "InputCurrencyDiffers",
  "inputs.0.payment.amount": "InputAmountDiffers",
  "inputs.0.payment.weight": "InputWeightDiffers",
  "inputs.0.refunds.0.chainId": "RefundChainDiffers",
  "inputs.0.refunds.1.chainId": "RefundChainDiffers",
  "inputs.0.refunds.0.recipient": "RefundRecipientDiffers",
  "inputs.0.refunds.1.recipient": "RefundRecipientDiffers",
  "inputs.0.refunds.0.currency": "RefundCurrencyDiffers",
  "inputs.0.refunds.0.deadline": "RefundDeadlineTooEarly",
  "output.chainId": "OutputChainDiffers",
  "output.payments.0.recipient": "RecipientDiffers",
  "output.payments.0.currency": "OutputCurrencyDiffers",
  "output.payments.0.minimumAmount": "MinimumTooLow",
  "output.deadline": "DeadlineOutsideWindow",
  "output.calls": "CallsDiffer",
  fees: "FeeCurrencyDiffers",
};

const FREE = [
  /^solverChainId$/,
  /^salt$/,
  /extraData$/,
  /refunds\.\d\.minimumAmount$/,
  /expectedAmount$/,
  /^inputs\.0\.refunds\.1\.(currency|deadline)$/,
];

describe("OrderTerms", () => {
  it("accepts the genuine production order with the production solver's signature and returns its id", async () => {
    const [[, { order, orderId, signature }]] = vectors as [(typeof vectors)[number]];
    expect(await checker.check(orderStruct(order), signature, termsOf(order))).to.equal(orderId);
  });

  for (const [name, { order, signature }] of vectors) {
    it(`refuses ${name} after a change of any leaf, each with its own error`, async () => {
      const terms = termsOf(order);
      const refused = new Set<string>();
      for (const path of findLeaves(order)) {
        const key = path.join(".");
        const expected = errors[key] ?? "SignerDiffers";
        if (errors[key] === undefined) expect(key).to.satisfy(() => FREE.some((free) => free.test(key)), key);
        const change = (leaf: unknown): unknown =>
          Array.isArray(leaf) ? [key === "fees" ? fee : "0x1234"] : changeLeaf(leaf);
        const changed = orderStruct(replaceAt(order, path, change) as Order);
        // A changed salt may recover to no address or to another one.
        await expect(checker.check(changed, signature, terms), key).to.be.revertedWithCustomError(
          library,
          expected,
        );
        refused.add(key);
      }
      expect([...refused]).to.include.members(Object.keys(errors));
    });

    it(`refuses ${name} with an empty list or a second member in place of one`, async () => {
      const terms = termsOf(order);
      const [input] = order.inputs;
      const inputs = (refunds: Order["inputs"][number]["refunds"]) =>
        input === undefined ? [] : [{ ...input, refunds }];
      const { payments } = order.output;
      const lists: [Order, string][] = [
        [{ ...order, inputs: [] }, "InputCountDiffers"],
        [{ ...order, inputs: [...order.inputs, ...order.inputs] }, "InputCountDiffers"],
        [{ ...order, inputs: inputs([]) }, "OriginRefundMissing"],
        [{ ...order, inputs: inputs(input?.refunds.slice(1) ?? []) }, "OriginRefundMissing"],
        [{ ...order, output: { ...order.output, payments: [] } }, "PaymentCountDiffers"],
        [
          { ...order, output: { ...order.output, payments: [...payments, ...payments] } },
          "PaymentCountDiffers",
        ],
      ];
      for (const [changed, expected] of lists) {
        await expect(checker.check(orderStruct(changed), signature, terms)).to.be.revertedWithCustomError(
          library,
          expected,
        );
      }
    });
  }

  it("refuses a zero recipient of refunds, a minimum of zero and a zero receiver, which the terms demand", async () => {
    const [, { order, signature }] = vectors[0] as (typeof vectors)[number];
    const terms = termsOf(order);
    const check = (changes: Partial<Record<keyof Terms, string | bigint>>, other = order) =>
      checker.check(orderStruct(other), signature, { ...terms, ...changes } as Terms);
    await expect(check({ refundTo: ZeroAddress })).to.be.revertedWithCustomError(library, "RefundToIsZero");
    await expect(check({ minimumAmount: 0n })).to.be.revertedWithCustomError(library, "MinimumIsZero");
    for (const zeros of ["0x", "0x00", ZeroAddress, `0x${"00".repeat(33)}`]) {
      const paid = replaceAt(order, ["output", "payments", 0, "recipient"], () => zeros) as Order;
      await expect(check({ recipient: keccak256(zeros) }, paid))
        .to.be.revertedWithCustomError(library, "RecipientIsZero")
        .withArgs(zeros);
    }
  });

  it("accepts fees up to their largest sum, and refuses one wei more", async () => {
    const [, { order }] = vectors[1] as (typeof vectors)[number];
    const [input] = order.inputs;
    if (input === undefined) throw new Error("The order has no input.");
    const { chainId, currency } = input.payment;
    const fees = [1n, 2n].map((amount) => ({
      recipientChainId: chainId,
      recipient: `0x${"fe".repeat(20)}` as Hex,
      currencyChainId: chainId,
      currency,
      amount,
    }));
    for (const [list, sum] of [[fees.slice(0, 1), 1n] as const, [fees, 3n] as const]) {
      const charged = { ...order, fees: list };
      const check = (maximumFees: bigint) =>
        checker.check(orderStruct(charged), signOrder(testWallet(19), charged), {
          ...termsOf(order),
          maximumFees,
        });
      expect(await check(sum)).to.equal(orderIdOf(charged));
      await expect(check(sum - 1n)).to.be.revertedWithCustomError(library, "FeesTooHigh");
    }
  });

  it("refuses a destination refund to the router of an order with calls, which anyone could empty", async () => {
    const found = vectors.find(([, { order }]) => order.inputs[0]?.refunds.length === 2);
    if (found === undefined) throw new Error("No vector has a refund on the destination.");
    const [, { order, signature }] = found;
    const router = `0x${"a1".repeat(20)}`;
    const routed = replaceAt(
      replaceAt(order, ["output", "payments", 0, "recipient"], () => router),
      ["inputs", 0, "refunds", 1, "recipient"],
      () => router,
    ) as Order;
    const terms = { ...termsOf(order), recipient: keccak256(router) };
    await expect(checker.check(orderStruct(routed), signature, terms)).to.be.revertedWithCustomError(
      library,
      "SignerDiffers",
    );
    const calling = { ...routed, output: { ...routed.output, calls: ["0x1234"] } } as Order;
    const callsHash = keccak256(keccak256("0x1234"));
    await expect(checker.check(orderStruct(calling), signature, { ...terms, callsHash }))
      .to.be.revertedWithCustomError(library, "RefundRecipientDiffers")
      .withArgs(1, router, getAddress(terms.refundTo));
  });

  it("refuses a name of zero, which stands for a chain that ProtocolNames does not know", async () => {
    const [, { order, signature }] = vectors[0] as (typeof vectors)[number];
    const terms = termsOf(order);
    await expect(checker.check(orderStruct(order), signature, { ...terms, originChain: ZeroHash }))
      .to.be.revertedWithCustomError(library, "InputChainDiffers")
      .withArgs("base", ZeroHash);
    await expect(
      checker.check(orderStruct(order), signature, { ...terms, destinationChain: ZeroHash }),
    ).to.be.revertedWithCustomError(library, "RefundChainDiffers");
  });

  it("takes the short form of a signature and refuses its mirror image, other lengths and no signer", async () => {
    const [, { order, signature }] = vectors[0] as (typeof vectors)[number];
    const check = (form: string) => checker.check(orderStruct(order), form, termsOf(order));
    expect(await check(compactSignature(signature))).to.equal(await check(signature));
    await expect(check(mirroredSignature(signature))).to.be.revertedWithCustomError(
      library,
      "SignatureSAboveHalf",
    );
    for (const length of [0, 63, 66]) {
      await expect(check(`0x${"11".repeat(length)}`))
        .to.be.revertedWithCustomError(library, "SignatureLengthDiffers")
        .withArgs(length, 65);
    }
    await expect(check(`${signature.slice(0, -2)}00`))
      .to.be.revertedWithCustomError(library, "SignerDiffers")
      .withArgs(ZeroAddress, getAddress(order.solver));
    // Empty terms name the zero address as solver. A signature that recovers no signer must not count as that of the zero address.
    const ownerless = orderStruct({ ...order, solver: ZeroAddress as Hex });
    await expect(
      checker.check(ownerless, `${signature.slice(0, -2)}00`, { ...termsOf(order), solver: ZeroAddress }),
    )
      .to.be.revertedWithCustomError(library, "SignerDiffers")
      .withArgs(ZeroAddress, ZeroAddress);
  });

  it("refuses every changed word of the calldata, or returns the published id if it covers no part of it", async () => {
    const [, { order, orderId, signature }] = vectors[0] as (typeof vectors)[number];
    const data = checker.interface.encodeFunctionData("check", [
      orderStruct(order),
      signature,
      termsOf(order),
    ]);
    const words: string[] = data.slice(10).match(/.{1,64}/g) ?? [];
    let refused = 0;
    for (const [index, word] of words.entries()) {
      // The highest bits of values, and offsets and lengths that point elsewhere, in the calldata or far outside.
      const bits = [`f${word.slice(1)}`, `${word.slice(0, -2)}${word.slice(-2) === "20" ? "40" : "20"}`];
      for (const changed of bits.filter((each) => each !== word)) {
        const answer = await ethers.provider
          .call({ to: checker.target, data: `${data.slice(0, 10)}${words.with(index, changed).join("")}` })
          .catch(() => undefined);
        if (answer === undefined) refused += 1;
        else expect(answer, `word ${index}`).to.equal(orderId);
      }
    }
    expect(refused).to.be.above(words.length);
  });

  it("costs at most 12,700 gas inline for the published order", async () => {
    const [, { order, signature }] = vectors[0] as (typeof vectors)[number];
    const used = await checker.measure(orderStruct(order), signature, termsOf(order));
    expect(used).to.be.below(12_700n);
  });

  it("costs at most 17,500 gas in an external call that 0.8.17 compiled for london, without IR", async () => {
    const [, { order, orderId, signature }] = vectors[0] as (typeof vectors)[number];
    const wrapper = `pragma solidity 0.8.17;
      import {OrderTerms} from "contracts/records/OrderTerms.sol";
      contract External {
        function check(OrderTerms.Order calldata order, bytes calldata signature, OrderTerms.Terms calldata terms)
          external view returns (bytes32) { return OrderTerms.check(order, signature, terms); }
      }`;
    const path = "contracts/records/OrderTerms.sol";
    const { contracts } = compileSources(
      "solc-order-terms",
      { "External.sol": wrapper, [path]: readFileSync(`${repositoryRoot}${path}`, "utf8") },
      { evmVersion: "london", optimizer: { enabled: true, runs: 1_000_000 } },
    );
    const bytecode = contracts?.["External.sol"]?.["External"]?.evm.bytecode.object ?? "";
    const [deployer] = await ethers.getSigners();
    const factory = new ethers.ContractFactory(checker.interface, `0x${bytecode}`, deployer);
    const target = await (await factory.deploy()).getAddress();
    const data = checker.interface.encodeFunctionData("check", [
      orderStruct(order),
      signature,
      termsOf(order),
    ]);
    expect(await ethers.provider.call({ to: target, data })).to.equal(orderId);
    const sent = await deployer?.sendTransaction({ to: target, data });
    const receipt = await sent?.wait();
    const calldata = ethers.getBytes(data).reduce((gas, byte) => gas + (byte === 0 ? 4 : 16), 0);
    expect(Number(receipt?.gasUsed) - 21_000 - calldata).to.be.below(17_500);
  });
});

describe("ProtocolNames", () => {
  it("gives every chain of the stored answer its name, and zero to others", async () => {
    const { chains } = JSON.parse(
      readFileSync(`${repositoryRoot}scripts/generate/protocolNames.json`, "utf8"),
    ) as { chains: { id: number; protocol: { v2: { chainId: string } } }[] };
    const known = new Map(chains.map(({ id, protocol }) => [id, hashOfName(protocol.v2.chainId)]));
    for (const id of [...known.keys()].flatMap((each) => [each - 1, each, each + 1])) {
      expect(await checker.nameOf(id), String(id)).to.equal(known.get(id) ?? ZeroHash);
    }
    expect(await checker.originName(), "31337 is no chain of the service").to.equal(ZeroHash);
  });
});
