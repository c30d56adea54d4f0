import { network } from "hardhat";
import { describePaths } from "../../helpers/contracts/adversaries/matrix.ts";
import { pinnedPaths } from "../../helpers/contracts/adversaries/pinnedPaths.ts";

describePaths(await network.create(), pinnedPaths);
