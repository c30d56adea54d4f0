import { expect } from "chai";
import { encodeFunctionData, maxUint256, parseAbi } from "viem";
import { swapFromNativeOnUniswapV2 } from "../../../../src/calls/recipes/swapFromNativeOnUniswapV2.ts";
import { swapOnUniswapV2 } from "../../../../src/calls/recipes/swapOnUniswapV2.ts";
import { swapToNativeOnUniswapV2 } from "../../../../src/calls/recipes/swapToNativeOnUniswapV2.ts";
import { expectInvalid } from "../../records/support/typedFailure.ts";
import {
  nativeProxyCall,
  otherToken,
  proxy,
  proxyCall,
  recipient,
  router,
  target,
  token,
  zero,
} from "./support/recipeCalls.ts";

const executor = "0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9" as const;
const swap = {
  deadline: 1_800_000_000n,
  minimumOutput: 9n,
  minimumReceived: 7n,
  path: [token, otherToken],
  proxy,
  recipient,
  router,
  swapRouter: target,
} as const;
const abi = parseAbi([
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable",
]);

const RECIPES = { swapFromNativeOnUniswapV2, swapOnUniswapV2, swapToNativeOnUniswapV2 };

for (const [name, recipe] of Object.entries(RECIPES)) {
  describe(`${name}, given what does not fit`, () => {
    it("refuses a swap without a minimum output", () => {
      expectInvalid(() => recipe({ ...swap, minimumOutput: 0n }), "minimumOutput");
      expectInvalid(() => recipe({ ...swap, minimumOutput: -1n }), "minimumOutput");
    });

    it("refuses a path without two ends, and one that names a token twice", () => {
      expectInvalid(() => recipe({ ...swap, path: [] }), "path");
      expectInvalid(() => recipe({ ...swap, path: [token] }), "path");
      expectInvalid(() => recipe({ ...swap, path: [token, otherToken, token] }), "path");
      expectInvalid(
        () => recipe({ ...swap, path: [otherToken, otherToken.toLowerCase() as typeof otherToken] }),
        "path",
      );
      expectInvalid(() => recipe({ ...swap, path: [token, zero] }), "path[1]");
    });

    it("names every other argument that does not fit", () => {
      for (const parameter of ["executor", "proxy", "recipient", "swapRouter"] as const) {
        expectInvalid(() => recipe({ ...swap, [parameter]: zero }), parameter);
      }
      expectInvalid(() => recipe({ ...swap, deadline: -1n }), "deadline");
      expectInvalid(() => recipe({ ...swap, minimumReceived: -1n }), "minimumReceived");
    });
  });
}

for (const [recipe, functionName, bought] of [
  [swapOnUniswapV2, "swapExactTokensForTokens", otherToken],
  [swapToNativeOnUniswapV2, "swapExactTokensForETH", zero],
] as const) {
  describe(recipe.name, () => {
    for (const to of [recipient, executor] as const) {
      const whom = to === recipient ? "recipient" : "executor";
      it(`has the pool pay the ${whom}, and bounds what the recipient gains`, () => {
        const parameters = to === executor ? ({ ...swap, executor } as const) : swap;
        expect(proxyCall(recipe(parameters), [0n, maxUint256, 0n])).to.deep.equal({
          args: [
            [
              { minimumOutput: 0n, minimumReceived: 7n, recipient, token },
              { minimumOutput: 9n, minimumReceived: 0n, recipient, token: bought },
            ],
            [
              {
                approvedToken: token,
                data: encodeFunctionData({
                  abi,
                  args: [0n, 9n, swap.path, to, swap.deadline],
                  functionName,
                }),
                sendNativeBalance: false,
                splices: [{ offset: 4n, token }],
                target,
                value: 0n,
              },
            ],
          ],
          functionName: "execute",
        });
      });
    }
  });
}

describe("swapFromNativeOnUniswapV2", () => {
  it("names the service's router when it does not fit", () => {
    expectInvalid(() => swapFromNativeOnUniswapV2({ ...swap, router: zero }), "router");
  });

  for (const to of [recipient, executor] as const) {
    it(`has either router spend everything on a swap that pays the ${to === recipient ? "recipient" : "executor"}`, () => {
      const parameters = to === executor ? ({ ...swap, executor } as const) : swap;
      expect(nativeProxyCall(swapFromNativeOnUniswapV2(parameters))).to.deep.equal({
        args: [
          [
            { minimumOutput: 0n, minimumReceived: 7n, recipient, token: zero },
            { minimumOutput: 9n, minimumReceived: 0n, recipient, token: otherToken },
          ],
          [
            {
              approvedToken: zero,
              data: encodeFunctionData({
                abi,
                args: [9n, swap.path, to, swap.deadline],
                functionName: "swapExactETHForTokens",
              }),
              sendNativeBalance: true,
              splices: [],
              target,
              value: 0n,
            },
          ],
        ],
        functionName: "execute",
      });
    });
  }
});
