import type { ExternalChain } from "../../emulator/index.ts";
import type { ServiceOptions } from "../settings/openService.ts";

/** Flags of `waybill prove`. */
export type ProveOptions = Pick<ServiceOptions, "config" | "emulator" | "url"> & {
  readonly file: string;
  readonly policy?: string;
  readonly request: string;
  readonly rpcUrl?: readonly ExternalChain[];
};
