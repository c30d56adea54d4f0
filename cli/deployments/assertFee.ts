import { formatEther, parseEther } from "viem";
import { refused } from "./checkAccounts.ts";
import { costOf } from "./describePlan.ts";
import type { DeploymentPlan } from "./planDeployment.ts";

/** Most that a deployment may cost, in whole native tokens, unless the caller names more. */
const usualMaximumFee = "0.1";

/**
 * Refuses a plan that may cost more than this: the node alone names the price of gas.
 *
 * @param maximum In whole native tokens.
 * @throws BaseError with the code `DEPLOYMENT_REFUSED`
 */
export function assertFee({ transaction }: DeploymentPlan, maximum: string = usualMaximumFee): void {
  if (transaction === undefined) return;
  const { most } = costOf(transaction);
  if (most <= parseEther(maximum)) return;
  throw refused(
    `The deployment may cost ${formatEther(most)} ether, above ${maximum}: --max-fee allows more.`,
  );
}
