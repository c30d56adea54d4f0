import { buildModule } from "@nomicfoundation/ignition-core";
import { artifactOf } from "../artifactOf.ts";

/** The record library, deployed. Takes no parameters: one address on every chain. */
export default buildModule("RecordVerifier", (m) => ({
  recordVerifier: m.contract("RecordVerifier", artifactOf("RecordVerifier")),
}));
