import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { artifactOf } from "../artifactOf.ts";
import { managedArguments } from "../constructorArguments.ts";

/** The receiver with every policy. What the owner changes later is part of the address as it was at first. */
export default buildModule("ManagedReceiver", (m) => ({
  managedReceiver: m.contract("ManagedReceiver", artifactOf("ManagedReceiver"), [
    Object.fromEntries(managedArguments.map((name) => [name, m.getParameter(name)])),
  ]),
}));
