export type { LogEntry } from "./Context.ts";
export type { LocalCurrency, ServiceContracts } from "./chains/Chain.ts";
export { PortInUseError } from "./chains/ports.ts";
export type { EmulatorInfo } from "./describe.ts";
export {
  type Emulator,
  type StartEmulatorParameters,
  type StartEmulatorReturnType,
  startEmulator,
} from "./startEmulator.ts";
