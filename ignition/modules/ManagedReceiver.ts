import { buildModule } from "@nomicfoundation/ignition-core";
import { managedArguments } from "../../src/deployment/constructorArguments.ts";
import { artifactOf } from "../artifactOf.ts";

/** The receiver with every policy. Its address depends on the initial settings, not on later changes. */
export default buildModule("ManagedReceiver", (m) => ({
  managedReceiver: m.contract("ManagedReceiver", artifactOf("ManagedReceiver"), [
    Object.fromEntries(managedArguments.map((name) => [name, m.getParameter(name)])),
  ]),
}));
