import type { SolidityHooks } from "hardhat/types/hooks";
import { judgeCompilerMessages } from "./judgeCompilerMessages.ts";

export default async (): Promise<Partial<SolidityHooks>> => ({
  // Of Hardhat's hooks this is the only one that runs before the result of a build is judged and cached.
  async invokeSolc(context, compiler, solcInput, solcConfig, next) {
    const output = await next(context, compiler, solcInput, solcConfig);
    if (output.errors === undefined) return output;
    const isUndeployed = context.globalOptions.coverage || solcConfig.settings?.optimizer?.enabled === false;
    return { ...output, errors: judgeCompilerMessages(output.errors, isUndeployed) };
  },
});
