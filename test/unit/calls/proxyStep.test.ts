import { expect } from "chai";
import { decodeFunctionData, encodeFunctionData, erc20Abi, parseAbi } from "viem";
import { balanceProxyAbi } from "../../../src/abi/BalanceProxy.ts";
import type { Call } from "../../../src/calls/Call.ts";
import { balanceOf, nativeBalance } from "../../../src/calls/liveBalance.ts";
import { type ProxyStepParameters, proxyStep } from "../../../src/calls/proxyStep.ts";
import { maxUint256 } from "../records/support/arbitraries.ts";
import { expectInvalid } from "../records/support/typedFailure.ts";

const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const shares = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
const proxy = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";
const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const other = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const zero = "0x0000000000000000000000000000000000000000";

const abi = parseAbi([
  "function deposit(uint256 assets, address receiver) returns (uint256)",
  "function supply(uint256 assets, address receiver)",
  "function swap(address from, address to, uint256 amountIn, uint256 reserveOut)",
  "function batch(string note, uint256[] amounts)",
]);
const deposit = {
  abi,
  address: shares,
  args: [balanceOf(token), recipient],
  functionName: "deposit",
  proxy,
  recipient,
  token,
} as const;

const supply = { ...deposit, functionName: "supply" } as const;

/** The amounts that the calls around the proxy's approve for it, and the call of the proxy among them. */
function split(calls: readonly Call[]): { approved: readonly bigint[]; step: Call; position: number } {
  const position = calls.findIndex(({ to }) => to === proxy);
  const step = calls[position];
  if (step === undefined) throw new Error("the proxy is not called");
  const approved = calls.toSpliced(position, 1).map(({ data, to, value }) => {
    expect({ to, value }).to.deep.equal({ to: token, value: 0n });
    const { args, functionName } = decodeFunctionData({ abi: erc20Abi, data });
    expect([functionName, args?.[0]]).to.deep.equal(["approve", proxy]);
    return args?.[1] as bigint;
  });
  return { approved, position, step };
}

/** The call of the proxy; the calls around it must be the approvals and their withdrawal. */
function proxyCall(calls: readonly Call[]) {
  const { approved, position, step } = split(calls);
  expect(approved).to.deep.equal([0n, maxUint256, 0n]);
  expect(position).to.equal(2);
  expect(step.value).to.equal(0n);
  return decodeFunctionData({ abi: balanceProxyAbi, data: step.data });
}

/** A step with parameters that the types would not let through. */
function loose(parameters: object): readonly Call[] {
  return proxyStep({ ...deposit, ...parameters } as unknown as ProxyStepParameters);
}

describe("proxyStep with a vault's deposit for the recipient", () => {
  it("calls depositErc4626 between an approval, zero first, and its withdrawal", () => {
    expect(proxyCall(proxyStep({ ...deposit, minimumReceived: 990n }))).to.deep.equal({
      args: [shares, token, 990n, recipient],
      functionName: "depositErc4626",
    });
  });

  it("spends where the rest goes to another account than the shares", () => {
    expect(proxyCall(proxyStep({ ...deposit, recipient: other })).functionName).to.equal("spend");
  });

  it("spends where the ABI promises no shares, or another function of that name", () => {
    for (const signature of [
      "function deposit(uint256 assets, address receiver)",
      "function deposit(uint256 assets, address receiver) returns (bool)",
      "function deposit(uint256 assets, address receiver) returns (uint256, uint256)",
      "function deposit(uint256 assets, address receiver, uint16 code) returns (uint256)",
    ]) {
      const args = signature.includes("code") ? [balanceOf(token), recipient, 0] : deposit.args;
      expect(proxyCall(loose({ abi: parseAbi([signature]), args })).functionName, signature).to.equal(
        "spend",
      );
    }
  });
});

describe("proxyStep with the token's balance alone", () => {
  it("spends it between an approval, zero first, and its withdrawal", () => {
    expect(proxyCall(proxyStep(supply))).to.deep.equal({
      args: [
        token,
        0n,
        shares,
        4n,
        encodeFunctionData({ abi, args: [0n, recipient], functionName: "supply" }),
        recipient,
      ],
      functionName: "spend",
    });
  });

  it("with resetFirst false, leaves out the first approval of zero", () => {
    const { approved, position, step } = split(proxyStep({ ...supply, resetFirst: false }));
    expect(approved).to.deep.equal([maxUint256, 0n]);
    expect(position).to.equal(1);
    expect(step).to.deep.equal(split(proxyStep(supply)).step);
  });
});

describe("proxyStep with more than that", () => {
  it("executes one step that collects the outputs", () => {
    const outputs = [
      { minimum: 5n, recipient: other, token: shares },
      { minimum: 0n, recipient, token: zero },
    ] as const;
    expect(proxyCall(proxyStep({ ...deposit, minimumReceived: 990n, outputs }))).to.deep.equal({
      args: [
        [
          { minimumOutput: 0n, minimumReceived: 990n, recipient, token },
          { minimumOutput: 5n, minimumReceived: 0n, recipient: other, token: shares },
          { minimumOutput: 0n, minimumReceived: 0n, recipient, token: zero },
        ],
        [
          {
            approvedToken: token,
            data: encodeFunctionData({ abi, args: [0n, recipient], functionName: "deposit" }),
            sendNativeBalance: false,
            splices: [{ offset: 4n, token }],
            target: shares,
            value: 0n,
          },
        ],
      ],
      functionName: "execute",
    });
  });

  it("splices the balances of the token and of every output", () => {
    const step = proxyStep({
      ...deposit,
      args: [token, shares, balanceOf(token), nativeBalance()],
      functionName: "swap",
      outputs: [{ minimum: 0n, recipient, token: zero }],
    });
    const { args, functionName } = proxyCall(step);
    expect(functionName).to.equal("execute");
    const steps = args?.[1] as readonly { splices: readonly unknown[] }[];
    expect(steps.map(({ splices }) => splices)).to.deep.equal([
      [
        { offset: 68n, token },
        { offset: 100n, token: zero },
      ],
    ]);
  });

  it("executes when the token's balance is needed twice", () => {
    const args = [token, shares, balanceOf(token), balanceOf(token)] as const;
    expect(proxyCall(proxyStep({ ...deposit, args, functionName: "swap" })).functionName).to.equal("execute");
  });
});

describe("proxyStep refuses", () => {
  it("arguments without a live balance, which need no proxy", () => {
    const { message } = expectInvalid(() => proxyStep({ ...deposit, args: [5n, recipient] }), "args");
    expect(message).to.include("no argument is a live balance");
  });

  it("the balance of a currency that is neither spent nor an output", () => {
    for (const stray of [balanceOf(other), nativeBalance()]) {
      const { message } = expectInvalid(() => proxyStep({ ...deposit, args: [stray, recipient] }), "args");
      expect(message).to.include(stray.token);
    }
  });

  it("a proxy, token, target or recipient that is missing, zero or no address", () => {
    for (const parameter of ["proxy", "token", "address", "recipient"]) {
      for (const wrong of [undefined, zero, "", "0x", `0x${"11".repeat(19)}`]) {
        expectInvalid(() => loose({ [parameter]: wrong }), parameter, `${parameter}: ${wrong}`);
      }
    }
  });

  it("outputs that the contract would refuse: to the zero address, of no address, or of a token named twice", () => {
    const output = { minimum: 0n, recipient, token: other };
    expectInvalid(() => loose({ outputs: [{ ...output, recipient: zero }] }), "outputs[0].recipient");
    expectInvalid(() => loose({ outputs: [{ ...output, recipient: "0x12" }] }), "outputs[0].recipient");
    expectInvalid(() => loose({ outputs: [{ ...output, token: "0x12" }] }), "outputs[0].token");
    expectInvalid(() => loose({ outputs: [{ ...output, token }] }), "outputs[0].token");
    expectInvalid(() => loose({ outputs: [output, output] }), "outputs[1].token");
  });
});
