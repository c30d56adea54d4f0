import type { Context as HonoContext, MiddlewareHandler } from "hono";
import type { Deprecation } from "../../../src/schema/record/requestV2.ts";
import { requestsV2QuerySchema } from "../../../src/schema/request/query/requestsV2Query.ts";
import { requestsV3QuerySchema } from "../../../src/schema/request/query/requestsV3Query.ts";
import type { RetiringErrorBody } from "../../../src/schema/wire/errorBody.ts";
import { errorAnswer } from "../route/Route.ts";

/** Start of the deprecation and throttling of `GET /requests/v2`, in Unix milliseconds (specification, "Versioning"). */
const deprecatedAt = Date.UTC(2026, 6, 22);
const throttledFrom = Date.UTC(2026, 8, 1);

/** Remaining share of the endpoint's limit: 1/2 in the first month of throttling, halved each further month. */
export function retirementFactor(now: number): number {
  if (now < throttledFrom) return 1;
  const start = new Date(throttledFrom);
  const at = new Date(now);
  const months = (at.getUTCFullYear() - start.getUTCFullYear()) * 12 + at.getUTCMonth() - start.getUTCMonth();
  return 0.5 ** (months + 1);
}

const migrationGuide = "https://docs.relay.link/references/api/api_guides/migrating-to-requests-v3";

/** URL of the successor on the host that the client addressed, so that clients stay on the emulator. */
function successorOf(http: HonoContext): string {
  return new URL("/requests/v3", http.req.url).href;
}

/** Descriptions of a deprecated endpoint's headers, by name. */
export const deprecationHeaders = {
  Deprecation: "Since when the endpoint is deprecated: `@` and unix seconds (RFC 9745).",
  Link: "The relation `deprecation`, and of a retiring endpoint `sunset` and `successor-version`.",
};

/** The same of an endpoint that is retired at a known time. */
export const retiringHeaders = {
  ...deprecationHeaders,
  Sunset: "When the endpoint goes (RFC 8594).",
};

/** Returns the sunset in Unix milliseconds; infinity if the endpoint stays. */
type SunsetAt = () => number;

/** Adds the retirement headers to every answer of the endpoint, refusals included. */
export function announceRetirement(sunsetAt: SunsetAt): MiddlewareHandler {
  return async (http, next) => {
    const sunset = sunsetAt();
    if (Number.isFinite(sunset)) http.header("Sunset", new Date(sunset).toUTCString());
    setDeprecation(http, deprecatedAt, {
      deprecation: migrationGuide,
      sunset: migrationGuide,
      "successor-version": successorOf(http),
    });
    return next();
  };
}

/** Answers 410 after the sunset. */
export function refuseRetired(now: () => number, sunsetAt: SunsetAt): MiddlewareHandler {
  return async (http, next) => {
    const sunset = sunsetAt();
    if (now() < sunset) return next();
    const day = new Date(sunset).toISOString().slice(0, 10);
    return http.json(retiringBody(http, `GET ${http.req.path} was retired on ${day}`), 410);
  };
}

/** Since when the service's page calls the signed records deprecated, in Unix milliseconds. It names no sunset. */
const recordsDeprecatedAt = Date.UTC(2026, 7, 1);
const recordsPage = "https://docs.relay.link/references/api/api_core_concepts/input-validation";

/** Adds the deprecation of the signed records to every answer of their endpoints. Their successor is the quote's order. */
export function announceRecordsDeprecation(): MiddlewareHandler {
  return async (http, next) => {
    setDeprecation(http, recordsDeprecatedAt, { deprecation: recordsPage });
    return next();
  };
}

function setDeprecation(http: HonoContext, since: number, links: Readonly<Record<string, string>>): void {
  http.header("Deprecation", `@${since / 1_000}`);
  // Without this, browser pages cannot read the headers.
  http.header("Access-Control-Expose-Headers", "Deprecation, Link, Sunset");
  http.header(
    "Link",
    Object.entries(links)
      .map(([relation, target]) => `<${target}>; rel="${relation}"`)
      .join(", "),
  );
}

/** Deprecation notice in an answer. */
export function deprecationNotice(http: HonoContext, sunset: number): Deprecation {
  return {
    deprecatedAt: new Date(deprecatedAt).toISOString(),
    message: `GET ${http.req.path} is deprecated. Use GET /requests/v3.`,
    migrationGuide,
    successor: successorOf(http),
    sunsetAt: Number.isFinite(sunset) ? new Date(sunset).toISOString() : null,
    throttledFrom: new Date(throttledFrom).toISOString(),
  };
}

export function retiringBody(http: HonoContext, message: string): RetiringErrorBody {
  return { message, migrationGuide, successor: successorOf(http) };
}

/** Parameters of version 2 only, with their replacements. */
const former = {
  hash: "use `depositTxHash`, `fillTxHash`, `refundTxHash` or `term`",
  includeOrderData: "records of version 3 carry no order",
  referrer: "use `apiKey`",
};

/** Parameters of version 3 only. */
const later = Object.fromEntries(
  Object.keys(requestsV3QuerySchema.shape)
    .filter((name) => !(name in requestsV2QuerySchema.shape))
    .map((name) => [name, "use `/requests/v3`"]),
);

/** Refuse parameters of the other version: ignoring them would widen the search. */
export const refuseFormerParameters = refuseParameters(former, 2);
export const refuseLaterParameters = refuseParameters(later, 3);

function refuseParameters(advice: Readonly<Record<string, string>>, version: 2 | 3): MiddlewareHandler {
  return async (http, next) => {
    const name = Object.keys(http.req.query()).find((each) => Object.hasOwn(advice, each));
    if (name === undefined) return next();
    const message = `Invalid request: \`${name}\` is a parameter of version ${version}: ${advice[name]}`;
    return errorAnswer(http, 400, message, { errorCode: "INVALID_REQUEST" });
  };
}
