import { expect } from "chai";
import { Contract, Interface } from "ethers";
import { encodeFunctionData, erc20Abi } from "viem";
import { toCall } from "../../../src/calls/toCall.ts";

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const data = encodeFunctionData({ abi: erc20Abi, args: [recipient, 7n], functionName: "transfer" });

describe("toCall", () => {
  it("reads what viem's simulateContract answers with, and the request alone", () => {
    const request = { abi: erc20Abi, account: recipient, address: token, args: [recipient, 7n] as const };
    const answer = { request: { ...request, functionName: "transfer" }, result: true };
    expect(toCall(answer)).to.deep.equal({ data, to: token, value: 0n });
    expect(toCall({ ...answer.request, dataSuffix: "0xabcd", value: 3n })).to.deep.equal({
      data: `${data}abcd`,
      to: token,
      value: 3n,
    });
  });

  it("reads a transaction that ethers populated", async () => {
    const contract = new Contract(token, new Interface(["function transfer(address to, uint256 amount)"]));
    const populated = await contract.getFunction("transfer").populateTransaction(recipient, 7n);
    expect(toCall(populated)).to.deep.equal({ data, to: token, value: 0n });
    expect(toCall({ ...populated, value: 2n }).value).to.equal(2n);
  });

  it("reads an entry of `txs`, and a call as it is", () => {
    expect(toCall({ data, to: token, value: "12" })).to.deep.equal({ data, to: token, value: 12n });
    expect(toCall({ to: token })).to.deep.equal({ data: "0x", to: token, value: 0n });
  });
});
