import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { artifactOf } from "../artifactOf.ts";

/** The receiver of protocol orders with every way to pay. Its parameters are those of `OrderReceiver`. */
export default buildModule("OrderReceiverPermits", (m) => ({
  orderReceiverPermits: m.contract("OrderReceiverPermits", artifactOf("OrderReceiverPermits"), [
    m.getParameter("solver"),
    m.getParameter("depository"),
    m.getParameter("chainName"),
    m.getParameter("recipientRoot"),
    m.getParameter("refundPayee"),
    m.getParameter("usesErc1271"),
  ]),
}));
