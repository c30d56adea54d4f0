import { buildModule } from "@nomicfoundation/ignition-core";
import { artifactOf } from "../artifactOf.ts";

/** The guard of a batch's output. Takes no parameters: one address on every chain. */
export default buildModule("OutputGuard", (m) => ({
  outputGuard: m.contract("OutputGuard", artifactOf("OutputGuard")),
}));
