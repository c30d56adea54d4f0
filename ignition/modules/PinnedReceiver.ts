import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { artifactOf } from "../artifactOf.ts";
import { pinnedArguments } from "../constructorArguments.ts";

/** A receiver for one solver. The parameters are fixed for good, and part of the address. */
export default buildModule("PinnedReceiver", (m) => ({
  pinnedReceiver: m.contract(
    "PinnedReceiver",
    artifactOf("PinnedReceiver"),
    pinnedArguments.map((name) => m.getParameter(name)),
  ),
}));
