/**
 * Deploys the contracts missing on a chain, and prints all addresses:
 *
 *     npx hardhat run ignition/deploy.ts --network live
 *
 * `WAYBILL_PARAMETERS`: file with the receivers' parameters. Default: `ignition/parameters/production.json`.
 * `WAYBILL_VERIFY=1` also verifies all sources at the block explorer.
 */
import hre from "hardhat";
import { deployMissing } from "./deployMissing.ts";
import { readParameters } from "./parameters.ts";
import { verify } from "./verify.ts";

const parameters = readParameters(process.env["WAYBILL_PARAMETERS"] ?? "ignition/parameters/production.json");
const connection = await hre.network.create();
try {
  const deployments = await deployMissing(connection, parameters, { displayUi: true });
  for (const [name, { address, isNew }] of Object.entries(deployments)) {
    process.stdout.write(`${name.padEnd(22)}${address}  ${isNew ? "deployed" : "was there"}\n`);
  }
  if (process.env["WAYBILL_VERIFY"] === "1") await verify(hre, deployments);
} finally {
  await connection.close();
}
