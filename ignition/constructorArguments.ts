import type { DeploymentParameters, ReceiverName } from "./parameters.ts";

/** What the constructor of each named receiver takes, in its order. */
export function constructorArguments(
  parameters: DeploymentParameters,
): Partial<Record<ReceiverName, readonly unknown[]>> {
  const {
    ManagedReceiver,
    ManagedReceiverPermits,
    OrderReceiver,
    OrderReceiverPermits,
    PinnedReceiver,
    PinnedReceiverPermits,
  } = parameters;
  return {
    ...(ManagedReceiver && { ManagedReceiver: [ManagedReceiver] }),
    ...(ManagedReceiverPermits && { ManagedReceiverPermits: [ManagedReceiverPermits] }),
    ...(OrderReceiver && { OrderReceiver: ofOrder(OrderReceiver) }),
    ...(OrderReceiverPermits && { OrderReceiverPermits: ofOrder(OrderReceiverPermits) }),
    ...(PinnedReceiver && { PinnedReceiver: ofPinned(PinnedReceiver) }),
    ...(PinnedReceiverPermits && { PinnedReceiverPermits: ofPinned(PinnedReceiverPermits) }),
  };
}

function ofOrder({
  solver,
  depository,
  chainName,
  recipientRoot,
  refundPayee,
  usesErc1271,
}: NonNullable<DeploymentParameters["OrderReceiver"]>): readonly unknown[] {
  return [solver, depository, chainName, recipientRoot, refundPayee, usesErc1271];
}

function ofPinned({
  solver,
  nativePayee,
  binding,
  refundPayee,
}: NonNullable<DeploymentParameters["PinnedReceiver"]>): readonly unknown[] {
  return [solver, nativePayee, binding, refundPayee];
}
