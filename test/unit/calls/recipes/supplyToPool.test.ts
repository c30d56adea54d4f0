import { expect } from "chai";
import { encodeFunctionData, maxUint256, parseAbi } from "viem";
import { supplyToPool } from "../../../../src/calls/recipes/supplyToPool.ts";
import { otherToken, proxy, proxyCall, recipient, target, token } from "./support/recipeCalls.ts";

/** The published function of Aave v3's pool, from which the selector follows. */
const abi = parseAbi([
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
]);
const AMOUNT_OFFSET = 4n + 32n;
const supply = { asset: token, pool: target, proxy, recipient } as const;
const data = (referralCode: number) =>
  encodeFunctionData({ abi, args: [token, 0n, recipient, referralCode], functionName: "supply" });

describe("supplyToPool", () => {
  it("calls the function by its published selector", () => {
    expect(data(0).slice(0, 10)).to.equal("0x617ba037");
  });

  it("spends what arrives on a supply on the recipient's behalf", () => {
    const calls = supplyToPool({ ...supply, minimumReceived: 7n, referralCode: 65_535 });
    expect(proxyCall(calls, [0n, maxUint256, 0n])).to.deep.equal({
      args: [token, 7n, target, AMOUNT_OFFSET, data(65_535), recipient],
      functionName: "spend",
    });
  });

  it("bounds the receipt tokens when a minimum is given", () => {
    const calls = supplyToPool({ ...supply, receipt: { minimum: 9n, token: otherToken } });
    const { args, functionName } = proxyCall(calls, [0n, maxUint256, 0n]);
    expect(functionName).to.equal("execute");
    expect(args).to.deep.equal([
      [
        { minimumOutput: 0n, minimumReceived: 0n, recipient, token },
        { minimumOutput: 9n, minimumReceived: 0n, recipient, token: otherToken },
      ],
      [
        {
          approvedToken: token,
          data: data(0),
          sendNativeBalance: false,
          splices: [{ offset: AMOUNT_OFFSET, token }],
          target,
          value: 0n,
        },
      ],
    ]);
  });
});
