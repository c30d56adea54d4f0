import * as z from "zod";
import { readParameters } from "../src/client/internal/readParameters.ts";
import { requestStatuses } from "../src/schema/request/requestStatus.ts";
import { chainIdSchema } from "../src/schema/wire/wireAmount.ts";
import type { Control } from "./control/Control.ts";
import { accountSchema, currencySchema, faultSpecSchema } from "./control/faults/faultSpec.ts";
import { configChangeSchema } from "./control/settings/openConfig.ts";
import { healthChangeSchema } from "./control/settings/openHealth.ts";
import { priceTableSchema } from "./money/priceHistory.ts";
import type { Webhooks } from "./webhooks/Webhook.ts";

const text = z.string().max(1_000);
const wholeNumber = z.int().nonnegative();
const holding = {
  account: accountSchema,
  chainId: chainIdSchema,
  currency: currencySchema,
};
const amount = z
  .bigint()
  .min(0n)
  .lt(2n ** 256n);
const keySettings = z.object({ isElevated: z.boolean().optional(), name: text });
const logPage = z.object({ after: wholeNumber.optional(), limit: wholeNumber.optional() }).optional();
const priceOptions = z.object({ movePools: z.boolean().optional() }).optional();
const reorg = z.object({ blocks: wholeNumber, chainId: chainIdSchema, returns: z.boolean().optional() });
const webhookSettings = z.object({
  headers: z.record(z.string(), z.string()).optional(),
  isEnabled: z.boolean().optional(),
  url: text,
});
const deliveryFilter = z
  .object({
    continuation: text.optional(),
    kind: z.enum(["event", "resend", "test"]).optional(),
    limit: wholeNumber.optional(),
    requestId: text.optional(),
    state: z.enum(["pending", "delivered", "failed", "dropped", "cancelled"]).optional(),
    status: z.enum(requestStatuses).optional(),
  })
  .optional();

/** Name of an argument, for errors, and its schema. */
type Argument = readonly [name: string, schema: z.core.$ZodType];

const keyId: Argument = ["apiKeyId", text];
const chainId: Argument = ["chainId", chainIdSchema];

/** Wraps a function so that it rejects invalid arguments with an `InvalidParameterError`. */
function checked<Given extends unknown[], Result>(
  act: (...given: Given) => Promise<Result>,
  ...wanted: readonly Argument[]
): (...given: Given) => Promise<Result> {
  return async (...given) => {
    for (const [index, [name, schema]] of wanted.entries()) readParameters(schema, given[index], name);
    return act(...given);
  };
}

/** The control with checked arguments, for the handle; HTTP routes have their own schemas. */
export function checkedControl(control: Control): Control {
  const { balances, chains, clock, config, faults, keys, prices, sponsors } = control;
  return {
    ...control,
    balances: {
      get: checked(balances.get, ["of", z.object(holding)]),
      set: checked(balances.set, ["of", z.object({ ...holding, amount })]),
    },
    chains: {
      ...chains,
      health: (id) => {
        readParameters(chainIdSchema, id, "chainId");
        return chains.health(id);
      },
      reorg: checked(chains.reorg, ["parameters", reorg]),
      setHealth: checked(chains.setHealth, chainId, ["change", healthChangeSchema]),
    },
    clock: {
      ...clock,
      advance: checked(clock.advance, ["milliseconds", z.number()]),
      set: checked(clock.set, ["now", z.number()]),
    },
    config: { ...config, set: checked(config.set, ["change", configChangeSchema]) },
    faults: {
      ...faults,
      add: checked(faults.add, ["spec", faultSpecSchema]),
      remove: checked(faults.remove, ["id", text]),
    },
    keys: {
      ...keys,
      create: checked(keys.create, ["parameters", keySettings]),
      revoke: checked(keys.revoke, ["id", text]),
    },
    log: checked(control.log, ["parameters", logPage]),
    prices: {
      ...prices,
      repegPools: checked(prices.repegPools, ["chainId", z.optional(chainIdSchema)]),
      set: checked(prices.set, ["prices", priceTableSchema], ["options", priceOptions]),
    },
    restore: checked(control.restore, ["id", text]),
    sponsors: {
      entries: checked(sponsors.entries, keyId),
      get: checked(sponsors.get, keyId),
      set: checked(sponsors.set, ["of", z.object({ amount, apiKeyId: text })]),
    },
  };
}

/** The webhooks with checked arguments. */
export function checkedWebhooks(webhooks: Webhooks): Webhooks {
  return {
    deliveries: checked(webhooks.deliveries, keyId, ["filter", deliveryFilter]),
    get: checked(webhooks.get, keyId),
    remove: checked(webhooks.remove, keyId),
    resend: checked(webhooks.resend, keyId, ["deliveryId", wholeNumber]),
    set: checked(webhooks.set, keyId, ["settings", webhookSettings]),
    test: checked(webhooks.test, keyId, ["status", z.enum(requestStatuses).optional()]),
  };
}
