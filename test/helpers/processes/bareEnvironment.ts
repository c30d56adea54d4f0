import { tmpdir } from "node:os";
import { join } from "node:path";

/** Environment of a command without the settings of this machine. What it keeps between runs stays out of the user's home. */
export const bareEnvironment = () => ({
  PATH: process.env["PATH"],
  XDG_STATE_HOME: join(tmpdir(), "waybill-test-state"),
});
