import { buildModule } from "@nomicfoundation/ignition-core";
import { orderArguments } from "../../src/deployment/constructorArguments.ts";
import { artifactOf } from "../artifactOf.ts";

/** A receiver of protocol orders. The chain's name is among the parameters, so the address differs by chain. */
export default buildModule("OrderReceiver", (m) => ({
  orderReceiver: m.contract(
    "OrderReceiver",
    artifactOf("OrderReceiver"),
    orderArguments.map((name) => m.getParameter(name)),
  ),
}));
