import * as z from "zod/mini";
import { openEnum } from "../wire/openEnum.ts";
import { uintStringSchema } from "../wire/wireAmount.ts";
import { wireObject } from "../wire/wireObject.ts";
import { recordAmountSchema, recordPaymentSchema } from "./recordAmount.ts";

/** Fees that an app can sponsor, by their names in quotes and request records of version 2. */
export const sponsoredComponentsV2 = ["execution", "swap", "relay", "app", "rent"] as const;

/** Fields of both versions. */
export const sponsorshipPhaseFields = {
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
  ...sponsorshipPhaseFields,
  selectedComponents: z.array(openEnum(sponsoredComponentsV2)),
  components: wireObject({
    execution: bucketV2,
    swap: bucketV2,
    relay: bucketV2,
    app: bucketV2,
    rent: bucketV2,
  }),
  sponsoredTotal: z.optional(recordAmountSchema),
  userPaysTotal: z.optional(recordAmountSchema),
};

/** Payer of each fee, in quotes and request records of version 2. Every amount includes its currency. */
export type FeeSponsorshipV2 = z.output<typeof feeSponsorshipV2Schema>;
export const feeSponsorshipV2Schema = wireObject({
  quoted: z.nullish(wireObject(phaseV2Fields)),
  actual: z.nullish(wireObject({ ...phaseV2Fields, sponsorPayment: z.nullish(recordPaymentSchema) })),
});
