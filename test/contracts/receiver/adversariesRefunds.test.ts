import { network } from "hardhat";
import { managedContracts } from "../../helpers/contracts/adversaries/managedPaths.ts";
import { describePaths } from "../../helpers/contracts/adversaries/matrix.ts";
import { refundPathsOf } from "../../helpers/contracts/adversaries/refundPaths.ts";

describePaths(await network.create(), managedContracts.flatMap(refundPathsOf));
