import { expect } from "chai";
import { encodeFunctionData, maxUint256, parseAbi } from "viem";
import type { Call } from "../../../../src/calls/Call.ts";
import {
  swapFromNativeOnUniswapV2,
  swapOnUniswapV2,
  swapToNativeOnUniswapV2,
} from "../../../../src/calls/recipes/uniswapV2.ts";
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

/** Sold and bought currencies of each recipe, and the called function. */
const recipes = [
  { bought: otherToken, functionName: "swapExactTokensForTokens", recipe: swapOnUniswapV2, sold: token },
  { bought: zero, functionName: "swapExactTokensForETH", recipe: swapToNativeOnUniswapV2, sold: token },
  {
    bought: otherToken,
    functionName: "swapExactETHForTokens",
    recipe: swapFromNativeOnUniswapV2,
    sold: zero,
  },
] as const;

for (const { bought, functionName, recipe, sold } of recipes) {
  const isNative = sold === zero;

  describe(recipe.name, () => {
    for (const [whom, to] of [
      ["executor", executor],
      ["recipient", recipient],
    ] as const) {
      it(`makes the pool pay the ${whom}, and bounds the recipient's gain`, () => {
        const parameters = to === executor ? { ...swap, executor } : swap;
        const data = isNative
          ? encodeFunctionData({ abi, args: [9n, swap.path, to, swap.deadline], functionName })
          : encodeFunctionData({ abi, args: [0n, 9n, swap.path, to, swap.deadline], functionName });
        const calls = recipe(parameters);
        const call = isNative
          ? nativeProxyCall(calls as readonly [Call])
          : proxyCall(calls, [0n, maxUint256, 0n]);
        expect(call).to.deep.equal({
          args: [
            [
              { minimumOutput: 0n, minimumReceived: 7n, recipient, token: sold },
              { minimumOutput: 9n, minimumReceived: 0n, recipient, token: bought },
            ],
            [
              {
                approvedToken: sold,
                data,
                sendNativeBalance: isNative,
                splices: isNative ? [] : [{ offset: 4n, token }],
                target,
                value: 0n,
              },
            ],
          ],
          functionName: "execute",
        });
      });
    }

    const rejected: readonly (readonly [parameter: string, fields: object])[] = [
      ["minimumOutput", { minimumOutput: 0n }],
      ["minimumOutput", { minimumOutput: -1n }],
      ["path", { path: [] }],
      ["path", { path: [token] }],
      ["path", { path: [token, otherToken, token] }],
      ["path", { path: [otherToken, otherToken.toLowerCase()] }],
      ["path[1]", { path: [token, zero] }],
      ["executor", { executor: zero }],
      ["proxy", { proxy: zero }],
      ["recipient", { recipient: zero }],
      ["swapRouter", { swapRouter: zero }],
      ["deadline", { deadline: -1n }],
      ["minimumReceived", { minimumReceived: -1n }],
      ...(isNative ? [["router", { router: zero }] as const] : []),
    ];
    it("rejects an invalid argument by name", () => {
      for (const [parameter, fields] of rejected) {
        expectInvalid(() => recipe({ ...swap, ...fields }), parameter);
      }
    });
  });
}
