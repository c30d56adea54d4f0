import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { artifactOf } from "../artifactOf.ts";

/** The receiver with every policy, paid by signatures and in batches too. Its parameters are those of `ManagedReceiver`. */
export default buildModule("ManagedReceiverPermits", (m) => ({
  managedReceiverPermits: m.contract("ManagedReceiverPermits", artifactOf("ManagedReceiverPermits"), [
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
