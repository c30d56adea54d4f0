import { expect } from "chai";
import { Interface } from "ethers";
import { type Hex, RpcRequestError, TimeoutError, UnknownRpcError } from "viem";
import { revertReason } from "../../../../emulator/router/revertReason.ts";
import { recipient, user } from "../support/fakeChains.ts";

const errors = new Interface([
  "error Error(string reason)",
  "error Panic(uint256 code)",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
  "error CallFailed()",
  "error StepFailed(uint256 index, address target, bytes reason)",
  "error Unheard(uint256 number)",
]);

function encode(name: string, args: readonly unknown[] = []): Hex {
  return errors.encodeErrorResult(name, [...args]) as Hex;
}

/** Error of an RPC client for an answer with revert data. */
function rpcError(data: unknown): Error {
  const answer = { code: 3, data, message: "execution reverted" };
  const request = new RpcRequestError({ body: {}, error: answer, url: "http://127.0.0.1:1" });
  return new UnknownRpcError(request);
}

describe("revertReason", () => {
  it("revert data in any cause of an error: is read", () => {
    const data = encode("Error", ["too little"]);
    const nested: Readonly<Record<string, unknown>> = {
      "a node's answer": rpcError(data),
      "a node's answer, wrapped by the node": rpcError({ data, message: "reverted" }),
      "an error itself": Object.assign(new Error("x"), { data }),
      "three causes deep": new Error("a", { cause: new Error("b", { cause: rpcError(data) }) }),
    };
    for (const [where, error] of Object.entries(nested)) {
      expect(revertReason(error), where).to.deep.equal({ data, message: "too little" });
    }
  });

  it("known errors: are decoded in one line", () => {
    const known: readonly (readonly [string, Hex])[] = [
      ["Panic(17)", encode("Panic", [17n])],
      [`ERC20InsufficientBalance(${user}, 5, 7)`, encode("ERC20InsufficientBalance", [user, 5n, 7n])],
      [`ERC20InsufficientAllowance(${user}, 0, 7)`, encode("ERC20InsufficientAllowance", [user, 0n, 7n])],
      ["CallFailed()", encode("CallFailed")],
    ];
    for (const [message, data] of known) {
      expect(revertReason(rpcError(data))).to.deep.equal({ data, message });
    }
  });

  it("a failed step of the proxy: is decoded at any depth", () => {
    const inner = encode("ERC20InsufficientBalance", [user, 5n, 7n]);
    const step = encode("StepFailed", [2n, recipient, inner]);
    expect(revertReason(rpcError(step)).message).to.equal(
      `StepFailed(2, ${recipient}, ERC20InsufficientBalance(${user}, 5, 7))`,
    );
    const outer = encode("StepFailed", [0n, user, step]);
    expect(revertReason(rpcError(outer)).message).to.equal(
      `StepFailed(0, ${user}, StepFailed(2, ${recipient}, ERC20InsufficientBalance(${user}, 5, 7)))`,
    );
    const text = encode("StepFailed", [1n, recipient, encode("Error", ["paused"])]);
    expect(revertReason(rpcError(text)).message).to.equal(`StepFailed(1, ${recipient}, paused)`);
  });

  it("unknown revert data: is returned unchanged", () => {
    for (const data of [encode("Unheard", [1n]), "0x12345678", "0x1234"] as Hex[]) {
      expect(revertReason(rpcError(data))).to.deep.equal({ data, message: data });
    }
  });

  it("empty revert data, and none: differ", () => {
    expect(revertReason(rpcError("0x"))).to.deep.equal({ data: "0x", message: "execution reverted" });
    expect(revertReason(rpcError(undefined))).to.deep.equal({ message: "execution reverted" });
  });

  it("a thrown value without data: gives its message", () => {
    expect(revertReason("no node").message).to.equal("no node");
    expect(revertReason(new Error("no node")).message).to.include("no node");
    expect(revertReason(undefined).message).to.equal("undefined");
    expect(revertReason(Object.assign(new Error("not hex"), { data: "nothing" }))).to.not.have.property(
      "data",
    );
    const timeout = new TimeoutError({ body: {}, url: "http://127.0.0.1:1" });
    expect(revertReason(timeout)).to.deep.equal({ message: "The request timed out." });
  });
});
