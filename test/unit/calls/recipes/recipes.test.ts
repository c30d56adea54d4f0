import { expect } from "chai";
import { encodeFunctionData, maxUint256, parseAbi } from "viem";
import { depositToVault } from "../../../../src/calls/recipes/depositToVault.ts";
import { mintNft } from "../../../../src/calls/recipes/mintNft.ts";
import { supplyToPool } from "../../../../src/calls/recipes/supplyToPool.ts";
import { unwrapNative, wrapNative } from "../../../../src/calls/recipes/wrappedNative.ts";
import { expectInvalid } from "../../records/support/typedFailure.ts";
import { proxy, proxyCall, recipient, router, target, token, zero } from "./support/recipeCalls.ts";

const abi = parseAbi([
  "function deposit(uint256 assets, address receiver) returns (uint256)",
  "function withdraw(uint256 amount)",
  "function deposit() payable",
  "function buy(uint256 quantity)",
  "function buyFor(address to)",
]);

describe("depositToVault", () => {
  const vault = { asset: token, proxy, recipient, vault: target } as const;

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

  it("rejects a mint to an argument unless the recipient is one", () => {
    const other = { ...mint, args: [router], functionName: "buyFor", mintsTo: "argument" } as const;
    expectInvalid(() => mintNft(other), "args");
    expectInvalid(() => mintNft({ ...mint, mintsTo: "owner" as "caller" }), "mintsTo");
  });
});

describe("the recipes", () => {
  it("reject the zero address wherever money would go", () => {
    const common = { proxy, recipient } as const;
    const supply = { ...common, asset: token, pool: target } as const;
    const mint = {
      ...common,
      abi,
      address: target,
      args: [2n],
      functionName: "buy",
      price: 5n,
      token,
    } as const;
    expectInvalid(() => depositToVault({ ...common, asset: token, vault: zero }), "vault");
    expectInvalid(() => unwrapNative({ ...common, wrappedNative: zero }), "wrappedNative");
    expectInvalid(() => wrapNative({ ...common, router: zero, wrappedNative: token }), "router");
    expectInvalid(() => mintNft({ ...mint, recipient: zero }), "recipient");
    for (const parameter of ["asset", "pool", "proxy", "recipient"] as const)
      expectInvalid(() => supplyToPool({ ...supply, [parameter]: zero }), parameter);
  });
});
