import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { artifactOf } from "../artifactOf.ts";

/** A receiver of protocol orders. The chain's name is among the parameters, so the address differs by chain. */
export default buildModule("OrderReceiver", (m) => ({
  orderReceiver: m.contract("OrderReceiver", artifactOf("OrderReceiver"), [
    m.getParameter("solver"),
    m.getParameter("depository"),
    m.getParameter("chainName"),
    m.getParameter("recipientRoot"),
    m.getParameter("refundPayee"),
    m.getParameter("usesErc1271"),
  ]),
}));
