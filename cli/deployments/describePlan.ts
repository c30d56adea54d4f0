import { formatEther, formatGwei } from "viem";
import { table } from "../../src/internal/table.ts";
import type { DeploymentPlan } from "./planDeployment.ts";
import type { VerifiedDeployment } from "./verifyDeployment.ts";

/** Cost of a planned transaction at the chain's present price of gas, and the most that it can cost. */
export function costOf({ fees, gas, gasLimit, gasPrice }: NonNullable<DeploymentPlan["transaction"]>) {
  const wei = gas * gasPrice;
  const most = gasLimit * ("gasPrice" in fees ? fees.gasPrice : fees.maxFeePerGas);
  return { ether: formatEther(wei), gas, gasPrice, most, wei };
}

/**
 * Text of a dry run: address, each argument with its meaning, cost, and remarks.
 *
 * @param payer Account that pays, if it is known.
 */
export function describePlan(
  { address, args, chainId, contract, owner, remarks, standing, transaction }: DeploymentPlan,
  payer?: string,
): string {
  const rows = [
    ["address", address, standing === undefined ? "no code yet" : "stands already"],
    ...args.map(({ meaning, name, value }) => [name, value, meaning]),
    ...(owner === undefined ? [["owner", "none", "nothing can be changed after the deployment"]] : []),
  ];
  if (transaction !== undefined) {
    const { ether, gas, gasPrice, most, wei } = costOf(transaction);
    rows.push(
      ["gas", `${gas}`, `at ${formatGwei(gasPrice)} gwei, the chain's present price`],
      ["cost", `${ether} ether`, `${wei} wei, without an L2's fee for data`],
      ["at most", `${formatEther(most)} ether`, "the transaction offers no more"],
      ["paid by", payer ?? "no key yet", "gets no power over the contract"],
    );
  }
  return [`${contract} on chain ${chainId}`, table(rows), ...remarks].join("\n");
}

/** Whether other code or another constructor stands. Changed settings are the owner's right. */
export function isOtherContract({ differences }: VerifiedDeployment): boolean {
  return differences.some(({ subject }) => subject !== "setting");
}
