export { PortInUseError } from "./access/ports.ts";
export type {
  Activity,
  ActivityAmount,
  ControlActivity,
  RequestActivity,
  WebhookActivity,
} from "./activity/Activity.ts";
export type { LocalCurrency, ServiceContracts } from "./chains/Chain.ts";
export type { Fork, ForkEngine } from "./chains/chainDefinitions.ts";
export { StoreChainMismatchError } from "./chains/chainRecords.ts";
export { ChainUnreachableError, type ExternalChain } from "./chains/evm/connectChain.ts";
export { ForkUpstreamError } from "./chains/fork/askUpstream.ts";
export { AnvilFailedError, AnvilMissingError } from "./chains/fork/startAnvil.ts";
export { type StartChainsParameters, type StartedChains, startChains } from "./chains/local/startChains.ts";
export { ServiceMissingError } from "./chains/setup/findService.ts";
export { ChainNotFundedError } from "./chains/setup/fundService.ts";
export type { EmulatorConfig } from "./context/EmulatorConfig.ts";
export type { Control } from "./control/Control.ts";
export type { Fault, FaultInput } from "./control/faults/faultSpec.ts";
export type { EmulatorInfo } from "./describe.ts";
export { ControlRefusedError, WebhookRefusedError } from "./errors/refusals.ts";
export type { LogEntry } from "./log/LogEntry.ts";
export { type ReplayRunParameters, replayRun } from "./replayRun.ts";
export type {
  ScenarioCause,
  ScenarioEvent,
  ScenarioInfo,
  ScenarioRefusal,
  ScenarioRequest,
  ScenarioResult,
  Scenarios,
} from "./scenarios/Scenario.ts";
export { type Emulator, type StartEmulatorReturnType, startEmulator } from "./startEmulator.ts";
export type { StartEmulatorParameters } from "./startParameters.ts";
export {
  StoreConnectionLostError,
  StoreLockedError,
  StorePackageMissingError,
  StoreSchemaError,
  StoreUnavailableError,
} from "./store/dialect/storeErrors.ts";
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
