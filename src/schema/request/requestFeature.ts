import { openEnum } from "../wire/openEnum.ts";

/** Every documented feature of a request. */
export const requestFeatures = [
  "gasless_execution",
  "gasless_swap",
  "fast_fill",
  "gas_top_up",
  "fixed_rate",
  "app_fees",
  "deposit_address",
] as const;

/** One of {@link requestFeatures}. */
export type RequestFeature = (typeof requestFeatures)[number];

/** A request feature in a response; accepts undocumented values. */
export const requestFeatureSchema = openEnum(requestFeatures);
