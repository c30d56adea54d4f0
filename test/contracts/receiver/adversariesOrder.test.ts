import { network } from "hardhat";
import { describePaths } from "../../helpers/contracts/adversaries/matrix.ts";
import { orderPaths } from "../../helpers/contracts/adversaries/orderPaths.ts";

describePaths(await network.create(), orderPaths);
