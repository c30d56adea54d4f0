import * as z from "zod/mini";
import { openEnum } from "../wire/openEnum.ts";
import { wireObject } from "../wire/wireObject.ts";
import { sponsorshipPhaseFields } from "./feeSponsorshipV2.ts";
import { recordCurrencySchema, recordPaymentSchema, recordValueSchema } from "./recordAmount.ts";

/** Fees that an app can sponsor, by their names in request records of version 3. */
const sponsoredComponents = ["execution", "swap", "platform", "app", "rent"] as const;

const bucket = z.optional(
  wireObject({
    selected: z.boolean(),
    total: recordValueSchema,
    sponsored: recordValueSchema,
    userPays: recordValueSchema,
  }),
);

const phaseV3Fields = {
  ...sponsorshipPhaseFields,
  selectedComponents: z.array(openEnum(sponsoredComponents)),
  components: wireObject({ execution: bucket, swap: bucket, platform: bucket, app: bucket, rent: bucket }),
  /** A positive `amountUsd` means that the request was sponsored. */
  sponsoredTotal: recordValueSchema,
  userPaysTotal: recordValueSchema,
};

/** Payer of each fee, in request records of version 3. One currency for all amounts. */
export type FeeSponsorship = z.output<typeof feeSponsorshipSchema>;
export const feeSponsorshipSchema = wireObject({
  quoted: z.nullish(wireObject(phaseV3Fields)),
  actual: z.nullish(wireObject({ ...phaseV3Fields, sponsorPayment: z.nullish(recordPaymentSchema) })),
  currency: z.nullish(recordCurrencySchema),
});
