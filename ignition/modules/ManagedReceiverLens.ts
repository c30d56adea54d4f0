import { buildModule } from "@nomicfoundation/ignition-core";
import { artifactOf } from "../artifactOf.ts";

/** The lens of every managed receiver. Takes no parameters: one address on every chain. */
export default buildModule("ManagedReceiverLens", (m) => ({
  managedReceiverLens: m.contract("ManagedReceiverLens", artifactOf("ManagedReceiverLens")),
}));
