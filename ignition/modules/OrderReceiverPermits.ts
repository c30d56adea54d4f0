import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { orderArguments } from "../../src/deployment/constructorArguments.ts";
import { artifactOf } from "../artifactOf.ts";

/** The receiver of protocol orders with every way to pay. Its parameters are those of `OrderReceiver`. */
export default buildModule("OrderReceiverPermits", (m) => ({
  orderReceiverPermits: m.contract(
    "OrderReceiverPermits",
    artifactOf("OrderReceiverPermits"),
    orderArguments.map((name) => m.getParameter(name)),
  ),
}));
