import { buildModule } from "@nomicfoundation/ignition-core";
import { artifactOf } from "../artifactOf.ts";

/** The proxy, and the executor that its constructor creates. No parameters: one address on every chain. */
export default buildModule("BalanceProxy", (m) => {
  const balanceProxy = m.contract("BalanceProxy", artifactOf("BalanceProxy"));
  const balanceExecutor = m.contractAt(
    "BalanceExecutor",
    artifactOf("BalanceExecutor"),
    m.staticCall(balanceProxy, "executor"),
  );
  return { balanceExecutor, balanceProxy };
});
