import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { pinnedArguments } from "../../src/deployment/constructorArguments.ts";
import { artifactOf } from "../artifactOf.ts";

/** The pinned receiver with every way to pay. The parameters are fixed for good, and part of the address. */
export default buildModule("PinnedReceiverPermits", (m) => ({
  pinnedReceiverPermits: m.contract(
    "PinnedReceiverPermits",
    artifactOf("PinnedReceiverPermits"),
    pinnedArguments.map((name) => m.getParameter(name)),
  ),
}));
