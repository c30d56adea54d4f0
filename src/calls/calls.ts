import type { Abi, Address, ContractFunctionName } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { type ApproveParameters, approve } from "./approve.ts";
import type { Call, TxRequest } from "./Call.ts";
import { type ContractCallParameters, contractCall, type Mutability } from "./contractCall.ts";
import { type ProxyStepParameters, proxyStep } from "./proxyStep.ts";
import type { RouterVersion } from "./RouterVersion.ts";
import { sweepErc20s, sweepNative } from "./sweep.ts";
import { type ToCallParameters, toCall } from "./toCall.ts";

/** An immutable plan of calls. Every method returns a new plan. */
export type CallPlan = {
  /** The calls in execution order. */
  readonly calls: readonly Call[];
  /** The calls in the wire format of a quote's `txs`. */
  readonly txs: readonly TxRequest[];
  /** Sum of the calls' values in wei: the `amount` of a quote with native output and `EXACT_OUTPUT`. */
  readonly value: bigint;
  /** Adds calls or lists of calls, such as recipes return, in order. Accepts every form that `toCall` reads. */
  add(...calls: readonly (ToCallParameters | readonly ToCallParameters[])[]): CallPlan;
  /** Adds an approval by the router; see `approve`. */
  approve(parameters: ApproveParameters): CallPlan;
  /** Adds a call with fixed arguments; see `contractCall`. */
  call<
    const abi extends Abi | readonly unknown[],
    functionName extends ContractFunctionName<abi, Mutability>,
  >(parameters: ContractCallParameters<abi, functionName>): CallPlan;
  /** Adds the calls that spend a live balance; see `proxyStep`. */
  proxyStep<
    const abi extends Abi | readonly unknown[],
    functionName extends ContractFunctionName<abi, Mutability>,
  >(
    parameters: Omit<ProxyStepParameters<abi, functionName>, "proxy"> & { proxy?: Address | undefined },
  ): CallPlan;
  /** Adds the sweep of tokens from the router; see `sweepErc20s`. */
  sweepErc20s(parameters: { tokens: readonly Address[]; recipient: Address }): CallPlan;
  /** Adds the sweep of native currency from the router; see `sweepNative`. */
  sweepNative(parameters: { recipient: Address }): CallPlan;
};

export type CallsParameters = {
  /** Router that executes the calls, and that sweeps call. */
  router: Address;
  /** @default "v3" */
  routerVersion?: RouterVersion | undefined;
  /** Default `BalanceProxy` of proxy steps. */
  proxy?: Address | undefined;
};

export type CallsReturnType = CallPlan;

/**
 * Creates an empty plan of calls for the destination chain.
 *
 * @returns An empty plan. Its methods throw InvalidParameterError for an invalid parameter, by name.
 *
 * @example
 * import { parseAbi } from "viem";
 * import { balanceOf, calls } from "waybill";
 *
 * const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
 * const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
 * const { txs } = calls({
 *   proxy: "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
 *   router: "0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f",
 * })
 *   .proxyStep({
 *     abi: parseAbi(["function deposit(uint256 assets, address receiver) returns (uint256)"]),
 *     address: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512",
 *     args: [balanceOf(token), recipient],
 *     functionName: "deposit",
 *     recipient,
 *     token,
 *   })
 *   .sweepErc20s({ recipient, tokens: [token] });
 * txs.length; // 5: approve zero, approve, proxy, approve zero, sweep
 */
export function calls(parameters: CallsParameters): CallsReturnType {
  return plan(parameters, []);
}

function plan(context: CallsParameters, entries: readonly Call[]): CallPlan {
  const extend = (more: readonly Call[]) => plan(context, [...entries, ...more]);
  const { router, routerVersion } = context;
  return {
    add: (...added) => extend(readCalls(added)),
    approve: one((parameters) => extend(approve(parameters))),
    call: one((parameters) => extend([contractCall(parameters)])),
    calls: entries,
    proxyStep: one((parameters) =>
      // `proxyStep` rejects a missing proxy and names the argument.
      extend(
        proxyStep({
          ...parameters,
          proxy: parameters.proxy ?? context.proxy,
        } as unknown as ProxyStepParameters),
      ),
    ),
    sweepErc20s: one((parameters) => extend([sweepErc20s({ ...parameters, router, routerVersion })])),
    sweepNative: one((parameters) => extend([sweepNative({ ...parameters, router, routerVersion })])),
    txs: entries.map(({ data, to, value }) => ({ data, to, value: value.toString() })),
    value: entries.reduce((sum, call) => sum + call.value, 0n),
  };
}

function readCalls(added: readonly (ToCallParameters | readonly ToCallParameters[])[]): readonly Call[] {
  if (added.length === 0)
    throw new InvalidParameterError({ parameter: "calls", reason: "there is none to add" });
  return added.flatMap((entry, index) =>
    Array.isArray(entry)
      ? entry.map((call, place) => toCall(call, `calls[${index}][${place}]`))
      : [toCall(entry as ToCallParameters, `calls[${index}]`)],
  );
}

/** Rejects a second argument: an ignored one would be missing from the plan. */
function one<Parameter>(method: (parameter: Parameter) => CallPlan): (parameter: Parameter) => CallPlan {
  return (...given) => {
    if (given.length !== 1) {
      const reason = `one argument is taken, and ${given.length} are given`;
      throw new InvalidParameterError({ parameter: "parameters", reason });
    }
    return method(given[0]);
  };
}
