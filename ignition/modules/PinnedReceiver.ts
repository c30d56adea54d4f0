import { buildModule } from "@nomicfoundation/ignition-core";
import { pinnedArguments } from "../../src/deployment/constructorArguments.ts";
import { artifactOf } from "../artifactOf.ts";

/** A receiver for one solver. The parameters are fixed for good, and part of the address. */
export default buildModule("PinnedReceiver", (m) => ({
  pinnedReceiver: m.contract(
    "PinnedReceiver",
    artifactOf("PinnedReceiver"),
    pinnedArguments.map((name) => m.getParameter(name)),
  ),
}));
