import { join } from "node:path";
import type { SolidityHooks } from "hardhat/types/hooks";
import type { HardhatPlugin } from "hardhat/types/plugins";

/**
 * Finds the compiler in this project, wherever Hardhat is called. Its configuration has a path from the root of the project:
 * Hardhat hashes the path into the build id of each artifact, and two clones shall build the same artifacts.
 */
export const npmCompiler: HardhatPlugin = {
  id: "waybill:npm-compiler",
  npmPackage: "waybill",
  hookHandlers: {
    solidity: async () => ({
      default: async (): Promise<Partial<SolidityHooks>> => ({
        async getCompiler(context, config, next) {
          const path = "path" in config ? config.path : undefined;
          if (typeof path !== "string") return next(context, config);
          return next(context, { ...config, path: join(context.config.paths.root, path) });
        },
      }),
    }),
  },
};
