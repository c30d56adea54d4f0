import * as z from "zod/mini";
import { openEnum } from "../wire/openEnum.ts";
import { uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import {
  recordAmountSchema,
  recordCurrencySchema,
  recordPaymentSchema,
  recordValueSchema,
} from "./recordAmount.ts";

/** Fees that an app can sponsor, by their names in quotes and request records of version 2. */
export const sponsoredComponentsV2 = ["execution", "swap", "relay", "app", "rent"] as const;

/** Fees that an app can sponsor, by their names in request records of version 3. */
const sponsoredComponents = ["execution", "swap", "platform", "app", "rent"] as const;

const phaseFields = {
  /** Millionths of a dollar; absent or null when the request set no cap. */
  maxSubsidizationAmount: z.nullish(uintStringSchema),
  /** Whether the cap limited the paid amount. */
  capHit: z.boolean(),
};

const bucketV2 = z.optional(
  wireObject({
    selected: z.boolean(),
    total: recordAmountSchema,
    sponsored: recordAmountSchema,
    userPays: recordAmountSchema,
  }),
);

const phaseV2Fields = {
  ...phaseFields,
  selectedComponents: z.array(openEnum(sponsoredComponentsV2)),
  components: wireObject({
    execution: bucketV2,
    swap: bucketV2,
    relay: bucketV2,
    app: bucketV2,
    rent: bucketV2,
  }),
  sponsoredTotal: recordAmountSchema,
  userPaysTotal: recordAmountSchema,
};

/**
 * Payer of each fee, in quotes and request records of version 2. Every amount includes its currency.
 *
 * @example
 * feeSponsorshipV2Schema.parse({}); // {}
 */
export const feeSponsorshipV2Schema = wireObject({
  quoted: z.nullish(wireObject(phaseV2Fields)),
  actual: z.nullish(wireObject({ ...phaseV2Fields, sponsorPayment: z.nullish(recordPaymentSchema) })),
});

/** Payer of each fee, version 2. */
export type FeeSponsorshipV2 = z.output<typeof feeSponsorshipV2Schema>;

const bucket = z.optional(
  wireObject({
    selected: z.boolean(),
    total: recordValueSchema,
    sponsored: recordValueSchema,
    userPays: recordValueSchema,
  }),
);

const phaseV3Fields = {
  ...phaseFields,
  selectedComponents: z.array(openEnum(sponsoredComponents)),
  components: wireObject({ execution: bucket, swap: bucket, platform: bucket, app: bucket, rent: bucket }),
  /** A positive `amountUsd` means that the request was sponsored. */
  sponsoredTotal: recordValueSchema,
  userPaysTotal: recordValueSchema,
};

/**
 * Payer of each fee, in request records of version 3. One currency for all amounts.
 *
 * @example
 * feeSponsorshipSchema.parse({ currency: { chainId: 137, decimals: 6, symbol: "USDC.e" } });
 */
export const feeSponsorshipSchema = wireObject({
  quoted: z.nullish(wireObject(phaseV3Fields)),
  actual: z.nullish(wireObject({ ...phaseV3Fields, sponsorPayment: z.nullish(recordPaymentSchema) })),
  currency: z.nullish(recordCurrencySchema),
});

/** Payer of each fee, version 3. */
export type FeeSponsorship = z.output<typeof feeSponsorshipSchema>;
