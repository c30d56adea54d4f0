import { expect } from "chai";
import { decodeFunctionData, encodeFunctionData, erc20Abi, maxUint256, parseAbi } from "viem";
import { balanceProxyAbi } from "../../../../src/abi/BalanceProxy.ts";
import { relayRouterV2_1Abi } from "../../../../src/abi/RelayRouterV2_1.ts";
import { relayRouterV3Abi } from "../../../../src/abi/RelayRouterV3.ts";
import type { Call } from "../../../../src/calls/Call.ts";
import { depositToVault } from "../../../../src/calls/recipes/depositToVault.ts";
import { mintNft } from "../../../../src/calls/recipes/mintNft.ts";
import { unwrapNative } from "../../../../src/calls/recipes/unwrapNative.ts";
import { wrapNative } from "../../../../src/calls/recipes/wrapNative.ts";
import { expectInvalid } from "../../records/support/typedFailure.ts";

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const target = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
const proxy = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";
const router = "0xB92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f";
const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const zero = "0x0000000000000000000000000000000000000000";

const abi = parseAbi([
  "function deposit(uint256 assets, address receiver) returns (uint256)",
  "function withdraw(uint256 amount)",
  "function deposit() payable",
  "function buy(uint256 quantity)",
]);

/** What the proxy is told; around it the approvals of these amounts, and nothing else. */
function proxyCall(calls: readonly Call[], approvals: readonly bigint[]) {
  const approved = calls
    .filter(({ to }) => to === token)
    .map(({ data }) => decodeFunctionData({ abi: erc20Abi, data }))
    .map(({ args, functionName }) => {
      expect([functionName, args?.[0]]).to.deep.equal(["approve", proxy]);
      return args?.[1];
    });
  expect(approved).to.deep.equal(approvals);
  const own = calls.filter(({ to }) => to === proxy);
  expect(own).to.have.length(1);
  expect(calls).to.have.length(approvals.length + 1);
  expect(calls.map(({ value }) => value)).to.deep.equal(calls.map(() => 0n));
  return decodeFunctionData({ abi: balanceProxyAbi, data: own[0]?.data ?? "0x" });
}

describe("depositToVault", () => {
  const vault = { asset: token, proxy, recipient, vault: target } as const;
  const data = encodeFunctionData({ abi, args: [0n, recipient], functionName: "deposit" });

  it("spends what arrives on a deposit for the recipient", () => {
    expect(proxyCall(depositToVault({ ...vault, minimumReceived: 7n }), [0n, maxUint256, 0n])).to.deep.equal({
      args: [token, 7n, target, 4n, data, recipient],
      functionName: "spend",
    });
  });

  it("bounds the shares when a minimum is given", () => {
    const { args, functionName } = proxyCall(depositToVault({ ...vault, minimumShares: 9n }), [
      0n,
      maxUint256,
      0n,
    ]);
    expect(functionName).to.equal("execute");
    expect(args?.[0]).to.deep.equal([
      { minimumOutput: 0n, minimumReceived: 0n, recipient, token },
      { minimumOutput: 9n, minimumReceived: 0n, recipient, token: target },
    ]);
  });

  it("names the argument that does not fit", () => {
    expectInvalid(() => depositToVault({ ...vault, vault: zero }), "vault");
    expectInvalid(() => depositToVault({ ...vault, asset: zero }), "asset");
  });
});

describe("unwrapNative", () => {
  it("spends what arrives on a withdrawal, whose native currency goes to the recipient", () => {
    const calls = unwrapNative({ minimumReceived: 7n, proxy, recipient, wrappedNative: token });
    const data = encodeFunctionData({ abi, args: [0n], functionName: "withdraw" });
    expect(proxyCall(calls, [maxUint256, 0n])).to.deep.equal({
      args: [token, 7n, token, 4n, data, recipient],
      functionName: "spend",
    });
  });

  it("names the argument that does not fit", () => {
    expectInvalid(() => unwrapNative({ proxy, recipient, wrappedNative: zero }), "wrappedNative");
  });
});

describe("wrapNative", () => {
  const wrap = { minimumReceived: 7n, proxy, recipient, router, wrappedNative: token } as const;

  it("has either router spend everything on a deposit that goes to the recipient", () => {
    const [{ data, to, value }] = wrapNative(wrap);
    expect({ to, value }).to.deep.equal({ to: router, value: 0n });
    const outer = decodeFunctionData({ abi: relayRouterV3Abi, data });
    expect(decodeFunctionData({ abi: relayRouterV2_1Abi, data })).to.deep.equal(outer);
    expect(outer.functionName).to.equal("cleanupNativeViaCall");
    const [amount, spender, execution] = outer.args as readonly [bigint, string, `0x${string}`];
    expect([amount, spender]).to.deep.equal([0n, proxy]);
    expect(decodeFunctionData({ abi: balanceProxyAbi, data: execution })).to.deep.equal({
      args: [
        [
          { minimumOutput: 0n, minimumReceived: 7n, recipient, token: zero },
          { minimumOutput: 7n, minimumReceived: 0n, recipient, token },
        ],
        [
          {
            approvedToken: zero,
            data: encodeFunctionData({ abi, args: [], functionName: "deposit" }),
            sendNativeBalance: true,
            splices: [],
            target: token,
            value: 0n,
          },
        ],
      ],
      functionName: "execute",
    });
  });

  it("names the argument that does not fit", () => {
    expectInvalid(() => wrapNative({ ...wrap, router: zero }), "router");
    expectInvalid(() => wrapNative({ ...wrap, minimumReceived: -1n }), "minimumReceived");
  });
});

describe("mintNft", () => {
  const mint = {
    abi,
    address: target,
    args: [2n],
    functionName: "buy",
    price: 5n,
    proxy,
    recipient,
    token,
  } as const;

  it("pays at least the price and names the recipient of NFTs and change", () => {
    expect(proxyCall(mintNft(mint), [0n, maxUint256, 0n])).to.deep.equal({
      args: [
        {
          assets: [{ minimumOutput: 0n, minimumReceived: 5n, recipient, token }],
          nftRecipient: recipient,
          steps: [
            {
              approvedToken: token,
              data: encodeFunctionData({ abi, args: [2n], functionName: "buy" }),
              sendNativeBalance: false,
              splices: [],
              target,
              value: 0n,
            },
          ],
        },
      ],
      functionName: "executeWithNftRecipient",
    });
  });

  it("names the argument that does not fit", () => {
    expectInvalid(() => mintNft({ ...mint, recipient: zero }), "recipient");
    expectInvalid(() => mintNft({ ...mint, price: -1n }), "price");
    expectInvalid(() => mintNft({ ...mint, args: [-2n] }), "args");
  });
});
