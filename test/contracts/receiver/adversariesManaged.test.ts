import { network } from "hardhat";
import { managedContracts, managedPathsOf } from "../../helpers/contracts/adversaries/managedPaths.ts";
import { managedPermitsPaths } from "../../helpers/contracts/adversaries/managedPermitsPaths.ts";
import { describePaths } from "../../helpers/contracts/adversaries/matrix.ts";

describePaths(await network.create(), [...managedContracts.flatMap(managedPathsOf), ...managedPermitsPaths]);
