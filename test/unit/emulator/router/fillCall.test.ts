import { expect } from "chai";
import { Interface } from "ethers";
import { zeroAddress } from "viem";
import { fillCall, transferCall } from "../../../../emulator/router/fillCall.ts";
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
