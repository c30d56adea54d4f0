export type { LogEntry } from "./Context.ts";
export type { LocalCurrency, ServiceContracts } from "./chains/Chain.ts";
export { ChainUnreachableError, type ExternalChain } from "./chains/connectChain.ts";
export { ServiceMissingError } from "./chains/findService.ts";
export { ChainNotFundedError } from "./chains/fundService.ts";
export { PortInUseError } from "./chains/ports.ts";
export { type StartChainsParameters, type StartedChains, startChains } from "./chains/startChains.ts";
export type { Control } from "./control/Control.ts";
export { ControlRefusedError } from "./control/ControlRefusedError.ts";
export type { EmulatorConfig } from "./control/EmulatorConfig.ts";
export type { Fault, FaultInput } from "./control/faultSpec.ts";
export type { EmulatorInfo } from "./describe.ts";
export {
  type Emulator,
  type StartEmulatorParameters,
  type StartEmulatorReturnType,
  startEmulator,
} from "./startEmulator.ts";
export { StoreChainMismatchError } from "./store/chainRecords.ts";
export {
  StoreConnectionLostError,
  StoreLockedError,
  StorePackageMissingError,
  StoreSchemaError,
  StoreUnavailableError,
} from "./store/storeErrors.ts";
export { trustOfEmulator } from "./trustOfEmulator.ts";
export type {
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryFilter,
  WebhookDeliveryPage,
  WebhookSettings,
  Webhooks,
} from "./webhooks/Webhook.ts";
export { WebhookRefusedError } from "./webhooks/WebhookRefusedError.ts";
