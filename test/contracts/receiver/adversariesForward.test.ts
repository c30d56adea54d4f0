import { network } from "hardhat";
import { forwardPaths } from "../../helpers/contracts/adversaries/forwardPaths.ts";
import { describePaths } from "../../helpers/contracts/adversaries/matrix.ts";

describePaths(await network.create(), forwardPaths);
