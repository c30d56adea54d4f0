import type { Played } from "../Scenario.ts";
import type { RequestScene } from "../Scene.ts";
import { pay, quoteOf } from "../stage/payments.ts";
import type { Service, Stage } from "../stage/Stage.ts";

/** Requests whose sponsor cannot pay. */
export const sponsorScenes = {
  SPONSOR_BALANCE_TOO_LOW: {
    cause: "real",
    play: payUnsponsored,
    sentence: "The sponsor, an API key of the scenario's own, holds nothing when the fill is signed.",
    status: "refund",
  },
} as const satisfies Readonly<Record<string, RequestScene>>;

async function payUnsponsored(stage: Stage): Promise<Played> {
  const { apiKeyId, service } = await ownKey(stage);
  await stage.control.sponsors.set({ amount: 0n, apiKeyId });
  return pay(stage, await quoteOf(stage, { subsidizeFees: true }, service));
}

/** An API key that is revoked at the end, and the service as its integrator calls it. */
export async function ownKey({
  control,
  onEnd,
  referrer,
  service,
}: Stage): Promise<{ readonly apiKeyId: string; readonly service: Service }> {
  const { id, key } = await control.keys.create({ name: referrer });
  onEnd(() => control.keys.revoke(id));
  return {
    apiKeyId: id,
    service: (method, path, options) =>
      service(method, path, { ...options, headers: { ...options?.headers, "x-api-key": key } }),
  };
}
