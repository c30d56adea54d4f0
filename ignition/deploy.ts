/**
 * Deploys what is not yet on a chain, and prints where everything is:
 *
 *     npx hardhat run ignition/deploy.ts --network live
 *
 * `WAYBILL_PARAMETERS` names the file with the receivers' parameters, `ignition/parameters/production.json` unless set.
 * With `WAYBILL_VERIFY=1` the block explorer gets the sources of everything that is there.
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
