import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { artifactOf } from "../artifactOf.ts";
import { pinnedArguments } from "../constructorArguments.ts";

/** The pinned receiver with every way to pay. The parameters are fixed for good, and part of the address. */
export default buildModule("PinnedReceiverPermits", (m) => ({
  pinnedReceiverPermits: m.contract(
    "PinnedReceiverPermits",
    artifactOf("PinnedReceiverPermits"),
    pinnedArguments.map((name) => m.getParameter(name)),
  ),
}));
