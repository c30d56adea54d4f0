/**
 * Deploys what is not yet on a chain, and prints where everything is:
 *
 *     npx hardhat run ignition/deploy.ts --network live
 *
 * `WAYBILL_PARAMETERS` names the file with the receiver's parameters, `ignition/parameters/production.json` unless set.
 */
import { readFileSync } from "node:fs";
import { network } from "hardhat";
import { type DeploymentParameters, deployMissing } from "./deployMissing.ts";

const file = process.env["WAYBILL_PARAMETERS"] ?? "ignition/parameters/production.json";
const parameters: DeploymentParameters = JSON.parse(readFileSync(file, "utf8"));
const connection = await network.create();
try {
  const deployments = await deployMissing(connection, parameters, { displayUi: true });
  for (const [name, { address, isNew }] of Object.entries(deployments)) {
    process.stdout.write(`${name.padEnd(16)}${address}  ${isNew ? "deployed" : "was there"}\n`);
  }
} finally {
  await connection.close();
}
