import { type Address, decodeErrorResult, type Hex, size, slice } from "viem";
import type { ExecuteErrorBody } from "../../../src/schema/quote/executeCalls.ts";
import type { Chain } from "../../chains/Chain.ts";
import type { Context } from "../../context/Context.ts";
import { ExecuteRefusedError } from "../../errors/refusals.ts";
import type { SolverCall } from "../../router/fillCall.ts";
import { prepareCall } from "../../router/prepareFill.ts";
import { knownErrors } from "../../router/revertReason.ts";
import { type FailedFrame, failedFrames } from "../receipts/traceCalls.ts";
import { callGasExcess, callOf, type RawCalls } from "./rawCallsKind.ts";

type Details = NonNullable<ExecuteErrorBody["details"]>;

/** Runs calls on the chain's present state, without sending them. */
export async function assertSucceeds(
  calls: RawCalls,
  requestId: string | undefined,
  chain: Chain,
  { accounts }: Pick<Context, "accounts">,
): Promise<void> {
  const solver = accounts.solver.account.address;
  const call = callOf(calls);
  const prepared = await prepareCall(call, chain, solver);
  if ("call" in prepared) {
    const message = callGasExcess(prepared.gas);
    if (message === undefined) return;
    throw new ExecuteRefusedError({ error: "QUOTED_GAS_LIMIT_EXCEEDED", message });
  }
  const { details, failReason, revertData } = prepared;
  throw new ExecuteRefusedError({
    error: failReason,
    message: `The calls would fail: ${details}`,
    ...(requestId !== undefined && { requestId }),
    ...(prepared.failedCall && { details: await locate(call, revertData ?? "0x", chain, solver) }),
  });
}

/** Locates a revert: by the node's trace where it has one, else in the outermost call alone. */
async function locate(call: SolverCall, data: Hex, chain: Chain, from: Address): Promise<Details> {
  const outermost = { input: call.data, output: data, to: call.to, type: "CALL" };
  const traced = await failedFrames(chain, { ...call, from });
  const frames = traced.length === 0 ? [outermost] : traced;
  const path = frames.map(describeFrame);
  const [topLevel = describeFrame(outermost)] = path;
  const innermost = path.at(-1) ?? topLevel;
  return { innermost, path, revert: describeRevert(frames.at(-1)?.output ?? data), topLevel };
}

function describeFrame({ error, gasUsed, input, output, to, type }: FailedFrame): Details["topLevel"] {
  return {
    type,
    ...(to !== undefined && { address: to }),
    ...(size(input) >= 4 && { selector: slice(input, 0, 4) }),
    ...(error !== undefined && { error }),
    revertReason: describeRevert(output).message,
    ...(gasUsed !== undefined && { gasUsed: gasUsed.toString() }),
  };
}

function describeRevert(data: Hex): Details["revert"] {
  if (size(data) < 4) {
    return { label: "EmptyRevert", message: "The call reverted without data", type: "empty" };
  }
  const selector = slice(data, 0, 4);
  try {
    const { abiItem, args = [], errorName } = decodeErrorResult({ abi: knownErrors, data });
    const values = args.map(String);
    const inputs = "inputs" in abiItem ? abiItem.inputs : [];
    return {
      args: Object.fromEntries(values.map((value, index) => [inputs[index]?.name ?? String(index), value])),
      label: errorName,
      message: errorName === "Error" ? (values[0] ?? "") : `${errorName}(${values.join(", ")})`,
      name: errorName,
      selector,
      type: errorName === "Error" ? "errorString" : errorName === "Panic" ? "panic" : "customError",
    };
  } catch {
    return { label: "UnknownError", message: data, rawArgsHex: data, selector, type: "unknownCustomError" };
  }
}
