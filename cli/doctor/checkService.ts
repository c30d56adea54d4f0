import * as z from "zod/mini";
import { HttpError } from "../../src/errors/HttpError.ts";
import { chainsResponseSchema } from "../../src/schema/chain/chain.ts";
import { configSchema } from "../../src/schema/chain/config.ts";
import { currenciesSchema } from "../../src/schema/chain/currencies.ts";
import { tokenPriceV2Schema } from "../../src/schema/chain/tokenPrice.ts";
import { priceSchema } from "../../src/schema/quote/price.ts";
import { quoteSchema } from "../../src/schema/quote/quote.ts";
import { requestsPageSchema } from "../../src/schema/record/requestV3.ts";
import { statusSchema } from "../../src/schema/request/status.ts";
import { findUnknown } from "../../src/schema/wire/findUnknown.ts";
import type { Service } from "../settings/openService.ts";
import { describeFailure } from "../terminal/describeFailure.ts";

/** One result of `waybill doctor`. */
export type Finding = {
  readonly level: "fail" | "ok" | "warn";
  /** What was looked at, such as `clock` or `GET /chains`. */
  readonly subject: string;
  readonly message: string;
  readonly remedy?: string | undefined;
};

const finding =
  (level: Finding["level"]) =>
  (subject: string, message: string, remedy?: string): Finding => ({
    level,
    message,
    subject,
    ...(remedy !== undefined && { remedy }),
  });
/** Nothing to mend. */
export const ok = finding("ok");
/** Something that may be meant so. */
export const warn = finding("warn");
/** Something that does not work. */
export const fail = finding("fail");

const native = "0x0000000000000000000000000000000000000000";
/** An account without a known key; quotes do not need one. */
const user = "0x000000000000000000000000000000000000dEaD";
/** A hundredth of a whole native token. */
const amount = "10000000000000000";

type Asked = {
  readonly body?: object;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly schema: z.ZodMiniType;
};

type Check = {
  readonly findings: Finding[];
  readonly quote: boolean;
  readonly service: Service;
  readonly signal: AbortSignal;
};

/**
 * Compares the answers of a service with the schemas. It leaves nothing on the service, except with `quote`: the service keeps
 * each quote as a waiting request.
 */
export async function checkService(
  service: Service,
  signal: AbortSignal,
  { quote }: { readonly quote: boolean },
): Promise<readonly Finding[]> {
  const check: Check = { findings: [], quote, service, signal };
  const answer = await ask(check, { path: "/chains", schema: chainsResponseSchema });
  const parsed = chainsResponseSchema.safeParse(answer);
  if (!parsed.success) return check.findings;
  const { chains } = parsed.data;
  const [origin, destination = origin] = chains.filter(
    ({ disabled, vmType }) => vmType === "evm" && disabled !== true,
  );
  if (origin === undefined || destination === undefined) return check.findings;
  await askAll(check, origin.id, destination.id);
  return check.findings;
}

async function askAll(check: Check, originChainId: number, destinationChainId: number): Promise<void> {
  const chainIds = { destinationChainId, originChainId };
  const currencies = { destinationCurrency: native, originCurrency: native };
  const intent = { ...chainIds, ...currencies, amount, tradeType: "EXACT_INPUT", user };
  await ask(check, { body: { chainIds: [originChainId] }, path: "/currencies/v2", schema: currenciesSchema });
  await ask(check, {
    path: "/currencies/token/price/v2",
    query: { address: native, chainId: originChainId },
    schema: tokenPriceV2Schema,
  });
  await ask(check, { path: "/config/v2", query: chainIds, schema: configSchema });
  await ask(check, { body: intent, path: "/price", schema: priceSchema });
  const ids: (string | undefined)[] = [];
  if (check.quote) {
    const quoted = await ask(check, { body: intent, path: "/quote/v2", schema: quoteSchema });
    const steps = quoteSchema.safeParse(quoted).data?.steps ?? [];
    ids.push(...steps.map((step) => step.requestId));
  }
  if (check.service.client.apiKey !== undefined) {
    const page = await ask(check, { path: "/requests/v3", query: { limit: 20 }, schema: requestsPageSchema });
    const requests = requestsPageSchema.safeParse(page).data?.requests ?? [];
    ids.push(...requests.map(({ id }) => id));
  }
  const requestId = ids.find((id) => id !== undefined);
  if (requestId === undefined) return;
  await ask(check, { path: "/intents/status/v3", query: { requestId }, schema: statusSchema });
}

/** Asks, and records what drifted. @returns The answer, if there is one. */
async function ask(
  { findings, service, signal }: Check,
  { body, path, query, schema }: Asked,
): Promise<unknown> {
  const method = body === undefined ? "GET" : "POST";
  const subject = `${method} ${path}`;
  try {
    const answer = await service.client.request({
      ...(body !== undefined && { body }),
      ...(query !== undefined && { query }),
      method,
      operation: `asking ${path}`,
      path,
      safe: true,
      schema: z.unknown() as z.ZodMiniType,
      signal,
    });
    findings.push(...findDrift(subject, schema, answer));
    return answer;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const { message } = describeFailure(error);
    if (error instanceof HttpError && (error.status === 401 || error.status === 403)) {
      findings.push(warn(subject, message, "give a key that the service knows, to check this endpoint"));
    } else if (error instanceof HttpError && error.status < 500) {
      findings.push(warn(subject, message, "the service refuses a usual call: read its message"));
    } else findings.push(fail(subject, message, `is ${service.url} the right service, and does it run?`));
    return undefined;
  }
}

/** Findings that are listed of one answer. */
const most = 20;

/**
 * Compares an answer with its schema: missing fields and changed types fail, undocumented fields and values warn. An answer has one
 * finding for each place, however many entries a list has.
 *
 * @param subject Method and path.
 */
export function findDrift(subject: string, schema: z.ZodMiniType, answer: unknown): readonly Finding[] {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) {
    const places = new Map(parsed.error.issues.map((issue) => [patternOf(issue.path), issue.message]));
    return [...places]
      .slice(0, most)
      .map(([path, message]) =>
        fail(
          subject,
          `${path === "" ? "the answer" : `\`${path}\``} is not as documented: ${message}`,
          "update waybill, or report the change",
        ),
      );
  }
  const unknown = findUnknown(schema, parsed.data, most);
  if (unknown.length === 0) return [ok(subject, "as documented")];
  return unknown.map(({ kind, path, value }) => {
    const what = kind === "field" ? `field \`${path}\`` : `value ${JSON.stringify(value)} of \`${path}\``;
    return warn(subject, `undocumented ${what}`, "update waybill if you need it");
  });
}

function patternOf(path: readonly PropertyKey[]): string {
  return path.map((part) => (typeof part === "number" ? "*" : String(part))).join(".");
}
