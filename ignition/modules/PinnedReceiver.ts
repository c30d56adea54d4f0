import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { artifactOf } from "../artifactOf.ts";

/** A receiver for one solver. The parameters are fixed for good, and part of the address. */
export default buildModule("PinnedReceiver", (m) => ({
  pinnedReceiver: m.contract("PinnedReceiver", artifactOf("PinnedReceiver"), [
    m.getParameter("solver"),
    m.getParameter("nativePayee"),
    m.getParameter("binding"),
    m.getParameter("refundPayee"),
  ]),
}));
