import type { DeploymentParameters, ReceiverName } from "./parameters.ts";

/** Names of a pinned receiver's parameters, in the order of its constructor. */
export const pinnedArguments = ["solver", "nativePayee", "binding", "refundPayee"] as const;

/** Names of an order receiver's parameters, in the order of its constructor. */
export const orderArguments = ["solver", "depository", "chainName", "chainId", "refundPayee"] as const;

/** Names of a managed receiver's parameters. Its constructor takes one struct of them. */
export const managedArguments = [
  "owner",
  "binding",
  "activationDelay",
  "coSigner",
  "isRecipientListOpen",
  "solvers",
  "limits",
] as const;

/** Constructor arguments of each named receiver, in order. */
export function constructorArguments(
  parameters: DeploymentParameters,
): Partial<Record<ReceiverName, readonly unknown[]>> {
  const { ManagedReceiver, OrderReceiver, PinnedReceiver } = parameters;
  return {
    ...(ManagedReceiver && { ManagedReceiver: [ManagedReceiver] }),
    ...(OrderReceiver && { OrderReceiver: pick(OrderReceiver, orderArguments) }),
    ...(PinnedReceiver && { PinnedReceiver: pick(PinnedReceiver, pinnedArguments) }),
  };
}

function pick<Name extends string>(
  values: Readonly<Record<Name, unknown>>,
  names: readonly Name[],
): unknown[] {
  return names.map((name) => values[name]);
}
