import { size } from "viem";
import { decodeCall } from "../decodeCall.ts";
import { serviceFunctions } from "../serviceFunctions.ts";
import type { CallFinding, CallsUnderCheck } from "./CallsUnderCheck.ts";

/** Checks the targets of the calls and the recipient of refunds. */
export function checkTargets(under: CallsUnderCheck): readonly CallFinding[] {
  return [...checkRefund(under), ...checkCode(under), ...checkRouter(under)];
}

function checkRefund({ refundTo, userIsContract }: CallsUnderCheck): readonly CallFinding[] {
  if (!userIsContract || refundTo !== undefined) return [];
  return [
    {
      code: "CONTRACT_WITHOUT_REFUND",
      fix: "Name an account that can hold the money as `refundTo`.",
      index: undefined,
      message: "The user is a contract, and a refund would go to it.",
      severity: "error",
    },
  ];
}

/** A low-level call to an address without code succeeds without effect. */
function checkCode({ entries, withoutCode }: CallsUnderCheck): readonly CallFinding[] {
  return entries
    .filter(({ call, target }) => call.data !== "0x" && withoutCode.has(target))
    .map(({ call, index }) => ({
      code: "NO_CODE",
      fix: "Look at the address and at the chain it is for.",
      index,
      message: `It calls ${call.to} with ${size(call.data)} bytes, but there is no code: it would succeed and do nothing.`,
      severity: "error",
    }));
}

/** Only the router has sweep functions, and each version has its own. */
function checkRouter({ entries, router, routerVersion }: CallsUnderCheck): readonly CallFinding[] {
  return entries.flatMap(({ call, index, target }): CallFinding[] => {
    const version = sweepVersion(call.data);
    if (version === undefined) return [];
    const found = { code: "WRONG_ROUTER", index, severity: "error" } as const;
    if (router !== undefined && target !== router) {
      return [{ ...found, fix: `Send it to ${router}.`, message: `It sweeps ${call.to}, not the router.` }];
    }
    if (version === "any" || routerVersion === undefined || version === routerVersion) return [];
    return [
      {
        ...found,
        fix: `Use the sweeps of version ${routerVersion}.`,
        message: `It is a sweep of routers of version ${version}.`,
      },
    ];
  });
}

function sweepVersion(data: `0x${string}`): "any" | "v2.1" | "v3" | undefined {
  const call = decodeCall(serviceFunctions, data);
  switch (call?.functionName) {
    case "cleanupErc20s":
      return call.args.length === 4 ? "v3" : "v2.1";
    case "cleanupNative":
      return call.args.length === 3 ? "v3" : "v2.1";
    case "cleanupErc20sViaCall":
    case "cleanupNativeViaCall":
      return "any";
    default:
      return undefined;
  }
}
