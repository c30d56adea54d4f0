import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { artifactOf } from "../artifactOf.ts";

/** The receiver with every policy. What the owner changes later is part of the address as it was at first. */
export default buildModule("ManagedReceiver", (m) => ({
  managedReceiver: m.contract("ManagedReceiver", artifactOf("ManagedReceiver"), [
    {
      owner: m.getParameter("owner"),
      binding: m.getParameter("binding"),
      activationDelay: m.getParameter("activationDelay"),
      coSigner: m.getParameter("coSigner"),
      isRecipientListOpen: m.getParameter("isRecipientListOpen"),
      solvers: m.getParameter("solvers"),
      limits: m.getParameter("limits"),
    },
  ]),
}));
