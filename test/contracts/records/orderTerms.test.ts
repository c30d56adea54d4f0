import { readFileSync } from "node:fs";
import { expect } from "chai";
import { keccak256, toUtf8Bytes, ZeroHash } from "ethers";
import { network } from "hardhat";
import type { Hex } from "viem";
import { normalizeOrder, type WireOrder } from "../../../src/records/normalizeOrder.ts";
import type { Order } from "../../../src/records/Order.ts";
import { compileSources, repositoryRoot } from "../../helpers/contracts/compileSources.ts";
import { orderStruct } from "../../helpers/contracts/signedOrder.ts";

// Before the deadlines of the published orders.
const initialDate = new Date(1_770_000_000_000);
const { ethers } = await network.create({ override: { initialDate } });
const checker = await ethers.deployContract("TermsChecker");

const hashOfName = (name: string): string => keccak256(toUtf8Bytes(name));

/** The genuine order of production, with the production solver's signature. */
const {
  orderData,
  orderId,
  orderSignature: signature,
} = JSON.parse(
  readFileSync(new URL("../../vectors/order-base-robinhood-signed.json", import.meta.url), "utf8"),
) as { orderData: WireOrder; orderId: Hex; orderSignature: string };
const order = normalizeOrder({ orderData });

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

// What any order and any terms give is in `test/solidity/records/OrderTerms.t.sol`.
describe("OrderTerms", () => {
  it("accepts the genuine production order with the production solver's signature and returns its id", async () => {
    expect(await checker.check(orderStruct(order), signature, termsOf(order))).to.equal(orderId);
  });

  it("refuses every changed word of the calldata, or returns the published id if it covers no part of it", async () => {
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
    const used = await checker.measure(orderStruct(order), signature, termsOf(order));
    expect(used).to.be.below(12_700n);
  });

  it("costs at most 17,500 gas in an external call that 0.8.17 compiled for london, without IR", async () => {
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
