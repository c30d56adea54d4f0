import fc from "fast-check";
import { filterFields } from "../../../src/schema/request/query/requestFilters.ts";
import { requestsV2QuerySchema } from "../../../src/schema/request/query/requestsV2Query.ts";
import { requestsV3QuerySchema } from "../../../src/schema/request/query/requestsV3Query.ts";

/** A random request to the API. */
export type FuzzedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
};

const address = fc.constantFrom(
  "0x0000000000000000000000000000000000000000",
  "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  "So11111111111111111111111111111111111111112",
);
const bytes32 = fc.constantFrom(`0x${"00".repeat(32)}`, `0x${"a8".repeat(32)}`, `0x${"FF".repeat(32)}`, "0x");
const chainId = fc.constantFrom<unknown>(31337, 31338, 1, 0, -1, "31337", 2 ** 53, 1e300);
const number = fc.oneof(
  fc.nat().map(String),
  fc.constantFrom("0", "-1", "1.5", "1e9", "9".repeat(16), "9".repeat(80), "NaN", ""),
);
const odd = fc.oneof(
  fc.string({ maxLength: 40, unit: "binary" }),
  fc.constantFrom("\u0000", "%", "' or 1=1 --", "__proto__", "\ud800", "𝕏", "x".repeat(600)),
);
/** A text of the interface's forms, or an odd one. */
export const text = fc.oneof(
  address,
  bytes32,
  number,
  odd,
  fc.constantFrom("success", "true", "createdAt", "asc", "Bridge"),
);
/** Any JSON value. */
export const json = fc.jsonValue({ maxDepth: 3 });

/** Candidate values of a parameter, by its name. */
function fitting(name: string): fc.Arbitrary<string> {
  if (/ChainId$|^chainId$/.test(name)) return fc.constantFrom("31337", "31338", "7");
  if (/Timestamp$|Block$|^(?:amountUsd|appFees|fillTime).*M/.test(name)) return fc.nat().map(String);
  if (/^include/.test(name)) return fc.constantFrom("true", "false");
  const known: Readonly<Record<string, readonly string[]>> = {
    failReason: ["SLIPPAGE", "N/A"],
    features: ["app_fees", "app_fees,fast_fill"],
    limit: ["1", "20", "50"],
    refundFailReason: ["AMOUNT_TOO_LOW_TO_REFUND"],
    requestType: ["Bridge", "same-chain swap"],
    sortBy: ["createdAt", "updatedAt", "amountUsd"],
    sortDirection: ["asc", "desc"],
    status: ["success", "pending", "refund"],
  };
  const values = known[name];
  return values === undefined
    ? fc.oneof(
        address,
        bytes32,
        odd.filter((value) => value !== ""),
      )
    : fc.constantFrom(...values);
}

/** Draws a few fields, most of them with valid values. */
function some<Value>(names: readonly string[], value: (name: string) => fc.Arbitrary<Value>) {
  return fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: 4 })
    .chain((chosen) => fc.tuple(...chosen.map((name) => value(name).map((one) => [name, one] as const))))
    .map((entries) => Object.fromEntries(entries));
}

const mostlyFitting = (name: string) =>
  fc.oneof({ arbitrary: fitting(name), weight: 12 }, { arbitrary: text, weight: 1 });

const filters = fc
  .array(
    some(
      Object.keys(filterFields).flatMap((name) => [name, `not:${name}`]),
      (name) => {
        const plain = name.replace("not:", "");
        const one: fc.Arbitrary<unknown> = /hainId$/.test(plain)
          ? fc.oneof(
              { arbitrary: fc.constantFrom(31337, 31338), weight: 9 },
              { arbitrary: chainId, weight: 1 },
            )
          : mostlyFitting(plain);
        return fc.oneof(one, fc.array(one, { maxLength: 4, minLength: 1 }));
      },
    ),
    { maxLength: 4, minLength: 1 },
  )
  .map((groups) => JSON.stringify(groups));

function queryOf(names: readonly string[]) {
  return some(names, (name) => (name === "filters" ? filters : mostlyFitting(name))).map((fields) =>
    new URLSearchParams(fields).toString(),
  );
}

const listing = fc.oneof(
  queryOf(Object.keys(requestsV2QuerySchema.shape)).map((query) => `/requests/v2?${query}`),
  queryOf(Object.keys(requestsV3QuerySchema.shape)).map((query) => `/requests/v3?${query}`),
  filters.map((value) => `/requests/v3?${new URLSearchParams({ filters: value })}`),
);
const segment = odd.map(encodeSafely);
const reading = fc.oneof(
  { arbitrary: listing, weight: 4 },
  fc
    .tuple(fc.constantFrom("", "/v2", "/v3"), text)
    .map(([version, id]) => `/intents/status${version}?requestId=${encodeSafely(id)}`),
  fc
    .tuple(fc.oneof(bytes32, segment), fc.constantFrom("", "/v2"))
    .map(([id, version]) => `/requests/${id}/signature${version}`),
  queryOf(["originChainId", "destinationChainId", "currency", "user"]).map((query) => `/config/v2?${query}`),
  queryOf(["address", "chainId"]).map((query) => `/currencies/token/price?${query}`),
  queryOf(["chainId"]).map((query) => `/chains/liquidity?${query}`),
  fc.constantFrom(
    "/admin/requests",
    "/admin/faults",
    "/swap-sources",
    "/chains",
    "/console",
    "/",
    "//chains",
    "/chains/",
    "/%",
    "/%zz",
    "/..%2f..",
    "/openapi.json",
    "/docs",
  ),
  segment.map((name) => `/${name}`),
);

const quote = fc.record(
  {
    amount: fc.oneof<fc.Arbitrary<unknown>[]>(number, json),
    appFees: json,
    destinationChainId: chainId,
    destinationCurrency: fc.oneof<fc.Arbitrary<unknown>[]>(address, json),
    originChainId: chainId,
    originCurrency: fc.oneof<fc.Arbitrary<unknown>[]>(address, json),
    recipient: fc.oneof<fc.Arbitrary<unknown>[]>(address, odd),
    referrer: odd,
    refundTo: fc.oneof<fc.Arbitrary<unknown>[]>(address, json),
    slippageTolerance: fc.oneof<fc.Arbitrary<unknown>[]>(number, json),
    tradeType: fc.constantFrom<unknown>("EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT", "", 1),
    txs: fc.oneof<fc.Arbitrary<unknown>[]>(
      json,
      fc.array(fc.record({ data: odd, to: address, value: number }), { maxLength: 3 }),
    ),
    user: fc.oneof<fc.Arbitrary<unknown>[]>(address, odd),
  },
  { requiredKeys: ["amount", "originChainId", "tradeType"] },
);
const transaction = fc.record(
  {
    chainId,
    requestId: bytes32,
    tx: fc.oneof(
      odd,
      json.map((value) => JSON.stringify(value) ?? ""),
    ),
    txHash: fc.oneof(bytes32, odd),
  },
  { requiredKeys: [] },
);
const body = fc.oneof<fc.Arbitrary<string | Uint8Array>[]>(
  quote.map((value) => JSON.stringify(value)),
  transaction.map((value) => JSON.stringify(value)),
  json.map((value) => JSON.stringify(value) ?? ""),
  fc.uint8Array({ maxLength: 300 }),
  odd,
);
const writing = fc.constantFrom(
  "/quote/v2",
  "/quote",
  "/price",
  "/currencies/v1",
  "/currencies/v2",
  "/currencies/trending",
  "/requests/metadata",
  "/authorize?signature=0x",
  "/admin/reset",
  "/transactions/index",
  "/transactions/single",
  "/execute/permits?signature=0x",
  "/chains",
);

/** Requests of the interface's form with arbitrary values, and raw bytes. */
export function fuzzedRequest(apiKey: string): fc.Arbitrary<FuzzedRequest> {
  const headers = fc.record(
    {
      "content-type": fc.constantFrom("application/json", "text/plain", "multipart/form-data", "nonsense"),
      "x-admin-key": fc.constantFrom("nonsense", ""),
      "x-api-key": fc.constantFrom(...Array.from({ length: 20 }, () => apiKey), "nonsense"),
    },
    { requiredKeys: ["x-api-key"] },
  );
  const read = fc.record({
    body: fc.constant(undefined),
    headers,
    method: fc.constantFrom("GET", "GET", "GET", "HEAD", "OPTIONS", "DELETE"),
    path: reading,
  });
  const write = fc.record({
    body,
    headers,
    method: fc.constantFrom("POST", "POST", "PUT", "PATCH"),
    path: writing,
  });
  return fc.oneof(read, write);
}

/** A lone surrogate of UTF-16 cannot be encoded; a client sends a replacement character. */
function encodeSafely(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}
