import { requestStatuses } from "../../src/schema/request/requestStatus.ts";
import { failReasonScenes } from "./failures/failReasons.ts";
import { refundFailReasonScenes } from "./failures/refundFailReasons.ts";
import { quoteErrorScenes } from "./quoteErrors.ts";
import { requestTypeScenes } from "./requestTypes.ts";
import type { ApiAnswer, RequestScene, Scene } from "./Scenario.ts";
import { statusScene } from "./statuses.ts";

/** A scenario of the catalogue, with what its outcome must show. */
export type Entry =
  | (RequestScene & {
      readonly kind: "request";
      readonly failReason?: string;
      readonly refundFailReason?: string;
    })
  | (Scene<ApiAnswer> & { readonly kind: "quote"; readonly errorCode: string });

/** All scenarios by name, in the order of the list. */
export const catalogue: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ...requestStatuses.map((status): [string, Entry] => [
    `status/${status}`,
    { ...statusScene(status), kind: "request" },
  ]),
  ...named(requestTypeScenes, (scene, type): [string, Entry] => [
    `success/${kebab(type)}`,
    { ...scene, kind: "request" },
  ]),
  ...named(failReasonScenes, (scene, failReason): [string, Entry] => [
    `${scene.status}/${kebab(failReason)}`,
    { ...scene, failReason, kind: "request" },
  ]),
  ...named(refundFailReasonScenes, (scene, refundFailReason): [string, Entry] => [
    `refund-failure/${kebab(refundFailReason)}`,
    { ...scene, kind: "request", refundFailReason },
  ]),
  ...named(quoteErrorScenes, (scene, errorCode): [string, Entry] => [
    `quote-error/${kebab(errorCode)}`,
    { ...scene, errorCode, kind: "quote" },
  ]),
]);

function named<Each, Result>(
  scenes: Readonly<Record<string, Each>>,
  use: (scene: Each, key: string) => Result,
): readonly Result[] {
  return Object.entries(scenes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, scene]) => use(scene, key));
}

/** Words in lower case, joined by hyphens. */
function kebab(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}
