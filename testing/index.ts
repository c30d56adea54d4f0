export type { FixtureLoader } from "./fixtureLoader.ts";
export {
  type StartTestEmulatorReturnType,
  startTestEmulator,
  type TestEmulator,
  type TestTime,
} from "./startTestEmulator.ts";
export type { TestChain } from "./TestChain.ts";
export type { Payment, SettledRequest, TestRequest } from "./TestRequest.ts";
export { type ContractLike, waybillMatchers } from "./waybillMatchers.ts";
