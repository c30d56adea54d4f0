import type { Address } from "viem";
import type { ExternalChain } from "../../emulator/index.ts";
import type { QuoteFlags } from "../quotes/quoteFlags.ts";
import type { ServiceOptions } from "../settings/openService.ts";
import type { BoundFlags } from "./priceBounds.ts";

/** Flags of `waybill execute`. */
export type ExecuteOptions = BoundFlags &
  Partial<QuoteFlags> &
  ServiceOptions & {
    readonly dryRun?: boolean;
    readonly file?: string;
    readonly for?: number;
    /** Whole tokens of native currency. */
    readonly maxFee?: string;
    readonly resume?: string;
    readonly rpcUrl?: readonly ExternalChain[];
    readonly state?: string;
    readonly user?: Address;
    readonly yes?: boolean;
  };
