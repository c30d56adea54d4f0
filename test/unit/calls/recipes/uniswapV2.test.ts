import {
  swapFromNativeOnUniswapV2,
  swapOnUniswapV2,
  swapToNativeOnUniswapV2,
} from "../../../../src/calls/recipes/uniswapV2.ts";
import { expectInvalid } from "../../records/support/typedFailure.ts";
import { otherToken, proxy, recipient, router, target, token, zero } from "./support/recipeCalls.ts";

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

for (const recipe of [swapOnUniswapV2, swapToNativeOnUniswapV2, swapFromNativeOnUniswapV2]) {
  describe(recipe.name, () => {
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
      ...(recipe === swapFromNativeOnUniswapV2 ? [["router", { router: zero }] as const] : []),
    ];
    it("rejects an invalid argument by name", () => {
      for (const [parameter, fields] of rejected) {
        expectInvalid(() => recipe({ ...swap, ...fields }), parameter);
      }
    });
  });
}
