import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { artifactOf } from "../artifactOf.ts";

/** The pinned receiver with every way to pay. The parameters are fixed for good, and part of the address. */
export default buildModule("PinnedReceiverPermits", (m) => ({
  pinnedReceiverPermits: m.contract("PinnedReceiverPermits", artifactOf("PinnedReceiverPermits"), [
    m.getParameter("solver"),
    m.getParameter("nativePayee"),
    m.getParameter("binding"),
    m.getParameter("refundPayee"),
  ]),
}));
