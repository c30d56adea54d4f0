import { expect } from "chai";
import { Interface } from "ethers";
import { type Hex, RpcRequestError, TimeoutError, UnknownRpcError, zeroAddress } from "viem";
import { fillCall, transferCall } from "../../../../emulator/router/fillCall.ts";
import { revertReason } from "../../../../emulator/router/revertReason.ts";
import { alpha, contracts, recipient, usdc, user } from "../support/fakeChains.ts";
import { requestId } from "../support/requests.ts";

const call3Value = "(address target,bool allowFailure,uint256 value,bytes callData)";

/** The v3 contracts' functions, written from the production selectors. */
const service = new Interface([
  "function transfer(address to, uint256 amount)",
  `function multicall(${call3Value}[] calls, address refundTo, address nftRecipient, bytes metadata)`,
  `function transferAndMulticall(address[] tokens, uint256[] amounts, ${call3Value}[] calls, address refundTo, address nftRecipient, bytes metadata)`,
]);

const txs = [
  { data: "0x12345678", to: user, value: 7n },
  { data: "0x", to: recipient, value: 0n },
] as const;

const solver = "0x0000000000000000000000000000000000000501";

const decodedTxs = [
  [user, false, 7n, "0x12345678"],
  [recipient, false, 0n, "0x"],
];

function fill(currency: typeof zeroAddress | typeof usdc.address, calls: readonly (typeof txs)[number][]) {
  return fillCall(
    { fill: { currency, path: [] }, recipient, requestId, routerVersion: "v3", txs: [...calls] },
    alpha,
    { inventory: 900n, output: { exactly: 900n } },
    solver,
  );
}

describe("fillCall", () => {
  it("native currency without calls: is sent to the recipient with the requestId as data", () => {
    expect(fill(zeroAddress, [])).to.deep.equal({ data: requestId, to: recipient, value: 900n });
  });

  it("a token without calls: is transferred to the recipient with the requestId behind the arguments", () => {
    const { data, to, value } = fill(usdc.address, []);
    expect({ to, value }).to.deep.equal({ to: usdc.address, value: 0n });
    expect(data).to.have.length(2 + 2 * (68 + 32));
    expect(data.slice(0, 10)).to.equal("0xa9059cbb");
    expect(`0x${data.slice(-64)}`).to.equal(requestId);
    expect(service.decodeFunctionData("transfer", data.slice(0, -64)).toArray()).to.deep.equal([
      recipient,
      900n,
    ]);
  });

  it("native currency with calls: goes through the router", () => {
    const { data, to, value } = fill(zeroAddress, txs);
    expect({ to, value }).to.deep.equal({ to: contracts.v3.erc20Router, value: 900n });
    expect(data.slice(0, 10)).to.equal("0xcd6e13f7");
    expect(service.decodeFunctionData("multicall", data).toArray(true)).to.deep.equal([
      decodedTxs,
      recipient,
      recipient,
      requestId,
    ]);
  });

  it("a token with calls: goes through the approval proxy", () => {
    const { data, to, value } = fill(usdc.address, txs);
    expect({ to, value }).to.deep.equal({ to: contracts.v3.approvalProxy, value: 0n });
    expect(data.slice(0, 10)).to.equal("0xf9e4bab4");
    expect(service.decodeFunctionData("transferAndMulticall", data).toArray(true)).to.deep.equal([
      [usdc.address],
      [900n],
      decodedTxs,
      recipient,
      recipient,
      requestId,
    ]);
  });
});

describe("transferCall", () => {
  it("any tag, and the largest amount: are encoded", () => {
    const amount = 2n ** 256n - 1n;
    expect(transferCall({ amount, currency: zeroAddress, recipient, tag: "0x" })).to.deep.equal({
      data: "0x",
      to: recipient,
      value: amount,
    });
    const { data } = transferCall({ amount, currency: usdc.address, recipient, tag: "0xabcd" });
    expect(data.endsWith(`${"ff".repeat(32)}abcd`)).to.equal(true);
  });
});

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
