import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { managedArguments } from "../../src/deployment/constructorArguments.ts";
import { artifactOf } from "../artifactOf.ts";

/** The receiver with every policy, paid by signatures and in batches too. Its parameters are those of `ManagedReceiver`. */
export default buildModule("ManagedReceiverPermits", (m) => ({
  managedReceiverPermits: m.contract("ManagedReceiverPermits", artifactOf("ManagedReceiverPermits"), [
    Object.fromEntries(managedArguments.map((name) => [name, m.getParameter(name)])),
  ]),
}));
