import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";

/** A receiver for one solver. The parameters are fixed for good, and part of the address. */
export default buildModule("PinnedReceiver", (m) => ({
  pinnedReceiver: m.contract("PinnedReceiver", [
    m.getParameter("solver"),
    m.getParameter("nativePayee"),
    m.getParameter("binding"),
    m.getParameter("refundPayee"),
  ]),
}));
