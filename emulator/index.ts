export type { LogEntry } from "./Context.ts";
export type { LocalCurrency, ServiceContracts } from "./chains/Chain.ts";
export { ChainUnreachableError, type ExternalChain } from "./chains/connectChain.ts";
export { ServiceMissingError } from "./chains/findService.ts";
export { ChainNotFundedError } from "./chains/fundService.ts";
export { PortInUseError } from "./chains/ports.ts";
export { type StartChainsParameters, type StartedChains, startChains } from "./chains/startChains.ts";
export type { EmulatorInfo } from "./describe.ts";
export {
  type Emulator,
  type StartEmulatorParameters,
  type StartEmulatorReturnType,
  startEmulator,
} from "./startEmulator.ts";
export { StoreChainMismatchError } from "./store/chainRecords.ts";
export {
  StoreLockedError,
  StorePackageMissingError,
  StoreSchemaError,
  StoreUnavailableError,
} from "./store/storeErrors.ts";
