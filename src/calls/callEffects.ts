import { type Address, isAddressEqual, parseAbi, zeroAddress } from "viem";
import type { Call } from "./Call.ts";
import { decodeCall } from "./decodeCall.ts";
import { proxyFunctions, serviceFunctions } from "./serviceFunctions.ts";

/** Functions that spend tokens, in addition to the service's own and the proxy's: vaults, pools, swaps. */
const venueFunctions = /* @__PURE__ */ parseAbi([
  "function deposit()",
  "function deposit(uint256 assets, address receiver)",
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function withdraw(uint256 amount)",
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)",
]);

/** An effect of a call on the router's balances. The zero address is the native currency. */
export type CallEffect =
  | { readonly type: "approve"; readonly token: Address; readonly spender: Address; readonly amount: bigint }
  | { readonly type: "transfer"; readonly token: Address; readonly to: Address; readonly amount: bigint }
  /** An `amount` of zero sweeps the whole balance. */
  | { readonly type: "sweep"; readonly token: Address; readonly amount: bigint }
  /** `amount` is undefined when the call takes the whole allowance or balance. */
  | {
      readonly type: "spend";
      /** Undefined when the calldata does not name it. */
      readonly token: Address | undefined;
      readonly amount: bigint | undefined;
      /** Whether an earlier call must have approved the spending. */
      readonly needsApproval: boolean;
    }
  /** An account receives a token, for example from a swap. Default account: the caller. */
  | { readonly type: "receive"; readonly token: Address; readonly to: Address | undefined }
  /** A call of an unknown function. */
  | { readonly type: "unknown" };

/** Lists the effects of a call on the router's balances, as far as its calldata shows them. */
export function callEffects(call: Call): readonly CallEffect[] {
  const native: readonly CallEffect[] =
    call.value === 0n ? [] : [{ amount: call.value, to: call.to, token: zeroAddress, type: "transfer" }];
  return [...native, ...(call.data === "0x" ? [] : (serviceEffects(call) ?? spendingEffects(call)))];
}

function serviceEffects({ data, to }: Call): readonly CallEffect[] | undefined {
  const call = decodeCall(serviceFunctions, data);
  switch (call?.functionName) {
    case "approve":
      return [{ amount: call.args[1], spender: call.args[0], token: to, type: "approve" }];
    case "transfer":
      return [{ amount: call.args[1], to: call.args[0], token: to, type: "transfer" }];
    case "cleanupErc20s":
      return call.args[0].map((token, index) => ({
        amount: call.args[2][index] ?? 0n,
        token,
        type: "sweep",
      }));
    case "cleanupNative":
      return [{ amount: call.args[0], token: zeroAddress, type: "sweep" }];
    case "cleanupErc20sViaCall":
      return call.args[0].map((token, index) => ({
        amount: call.args[3][index] || undefined,
        needsApproval: false,
        token,
        type: "spend",
      }));
    case "cleanupNativeViaCall":
      return [{ amount: call.args[0] || undefined, needsApproval: false, token: zeroAddress, type: "spend" }];
    case "depositErc20":
      return [spend(call.args[1], call.args.length === 4 ? call.args[2] : undefined)];
    case "depositNative":
      return [];
    default:
      return undefined;
  }
}

function spendingEffects({ data, to }: Call): readonly CallEffect[] {
  const call = decodeCall([...proxyFunctions, ...venueFunctions], data);
  switch (call?.functionName) {
    case "spend":
      return [spend(call.args[0], undefined)];
    case "depositErc4626":
      return [spend(call.args[1], undefined)];
    case "execute":
      return spendFirst(call.args[0]);
    case "executeWithNftRecipient":
      return spendFirst(call.args[0].assets);
    case "deposit":
      // A vault's `deposit` has arguments and takes its asset; WETH9's has none and takes the value.
      return call.args === undefined || call.args.length === 0
        ? [{ to: undefined, token: to, type: "receive" }]
        : [spend(undefined, call.args[0])];
    case "supply":
      return [spend(call.args[0], call.args[1])];
    case "withdraw":
      return [
        { amount: call.args[0], to, token: to, type: "transfer" },
        { to: undefined, token: zeroAddress, type: "receive" },
      ];
    case "swapExactTokensForTokens":
    case "swapExactTokensForETH":
      return swap(call.args[2], call.args[0], call.args[3], call.functionName.endsWith("ETH"));
    case "swapExactETHForTokens":
      return swap(call.args[1], undefined, call.args[2], false);
    default:
      return [{ type: "unknown" }];
  }
}

/** The first asset is the input; the others are outputs. */
function spendFirst(assets: readonly { readonly token: Address }[]): readonly CallEffect[] {
  const [first] = assets;
  return first === undefined || isAddressEqual(first.token, zeroAddress)
    ? []
    : [spend(first.token, undefined)];
}

function spend(token: Address | undefined, amount: bigint | undefined): CallEffect {
  return { amount, needsApproval: true, token, type: "spend" };
}

/** Without an amount, the input is the call's native value. */
function swap(
  path: readonly Address[],
  amount: bigint | undefined,
  to: Address,
  toNative: boolean,
): readonly CallEffect[] {
  const [sold] = path;
  const bought = toNative ? zeroAddress : path.at(-1);
  return [
    ...(amount === undefined || sold === undefined ? [] : [spend(sold, amount)]),
    ...(bought === undefined ? [] : [{ to, token: bought, type: "receive" } as const]),
  ];
}
