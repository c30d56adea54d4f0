import fc from "fast-check";
import { type FuzzedRequest, json, text } from "./fuzzRequests.ts";
import type { Sample } from "./fuzzSamples.ts";

/** Secrets of the emulator. */
export type Secrets = { readonly adminKey: string; readonly apiKey: string };

type Place = { readonly parent: Record<string, unknown>; readonly key: string };

/** Values at the borders of numbers and encodings. */
const border = fc.constantFrom<unknown>(
  ...[null, true, -1, 0, 1.5, 2 ** 53, 1e300, "", "0x", "-1", "0", `${2n ** 256n}`, `${2n ** 64n}`],
  ...[`0x${"ff".repeat(65)}`, `0x${"00".repeat(20)}`, "1".repeat(32), "~", [], {}, [[]]],
);
/** A change of one value: another one, or none at all. */
const change = fc.record({
  place: fc.nat(),
  value: fc.oneof<fc.MaybeWeightedArbitrary<unknown>[]>(
    { arbitrary: border, weight: 4 },
    { arbitrary: text, weight: 3 },
    { arbitrary: json, weight: 1 },
    { arbitrary: fc.constant(undefined), weight: 2 },
  ),
});

/** Draws a request of a known form, with up to three of its values changed. */
export function fuzzedSample(samples: readonly Sample[], secrets: Secrets): fc.Arbitrary<FuzzedRequest> {
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(change, { maxLength: 3 }))
    .map(([{ body, method, path, query }, changes]) => {
      const parts = structuredClone({ body, query }) as { body: unknown; query: Record<string, unknown> };
      for (const { place, value } of changes) {
        const places = [...placesIn(parts.body), ...placesIn(parts.query)];
        const { key, parent } = places[place % places.length] ?? { key: "any", parent: parts.query };
        if (value === undefined) delete parent[key];
        else parent[key] = structuredClone(value);
      }
      const fields = Object.entries(parts.query).map(([key, value]) => [key, String(value).toWellFormed()]);
      const search = new URLSearchParams(fields).toString();
      return {
        body: parts.body === undefined ? undefined : JSON.stringify(parts.body),
        headers: {
          "content-type": "application/json",
          "x-admin-key": path.startsWith("/admin/") ? secrets.adminKey : "",
          "x-api-key": secrets.apiKey,
        },
        method,
        path: search === "" ? path : `${path}?${search}`,
      };
    });
}

/** All values within an object or a list, outer ones first. */
function placesIn(value: unknown): readonly Place[] {
  if (typeof value !== "object" || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((key) => [{ key, parent }, ...placesIn(parent[key])]);
}
