import config from "./hardhat.config.ts";
export default { ...config, test: { ...config.test, solidity: { profiles: { default: { fuzz: { runs: 20_000 } } } } } };
