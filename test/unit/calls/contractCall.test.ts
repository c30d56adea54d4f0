import { expect } from "chai";
import { type Abi, parseAbi } from "viem";
import { contractCall } from "../../../src/calls/contractCall.ts";
import { maxUint256 } from "../records/support/arbitraries.ts";
import { expectInvalid } from "../records/support/typedFailure.ts";

const address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const abi = parseAbi(["function mint(address to, uint256 id) payable", "function pause()"]);

describe("contractCall", () => {
  it("refuses arguments and functions that do not fit the ABI, and keeps the reason", () => {
    const untyped = abi as Abi;
    for (const args of [[], [recipient], [recipient, -1n], ["0x12", 1n], [recipient, maxUint256 + 1n]]) {
      const call = () => contractCall({ abi: untyped, address, args, functionName: "mint" });
      const error = expectInvalid(call, "args");
      expect(error.cause).to.be.instanceOf(Error);
      expect(error.shortMessage).to.include("mint");
    }
    expectInvalid(() => contractCall({ abi: untyped, address, args: [], functionName: "burn" }), "args");
  });
});
