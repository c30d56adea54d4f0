import type { ServiceOptions } from "../settings/openService.ts";

/** Flags of `waybill webhook listen`. */
export type ListenOptions = ServiceOptions & {
  readonly forwardTo?: string;
  readonly keyId?: string;
  readonly port?: number;
  readonly register: boolean;
  readonly replace?: boolean;
};
