import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../checks/runTool.ts";
import type { Content, JsonSchema, OpenApiDocument, Operation, Parameter } from "./OpenApiDocument.ts";

/** Examples of an operation, recorded from a run. */
type OperationExamples = {
  /** Values of parameters, as they are sent. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Body of the request. */
  readonly body?: unknown;
  /** Bodies of the answers, by status. */
  readonly answers: Readonly<Record<string, unknown>>;
};

/** By operation id. */
export type Examples = Readonly<Record<string, OperationExamples>>;

/** Recorded by `WAYBILL_EXAMPLES=1 npx hardhat test mocha test/integration/http/openApi.test.ts`. */
const examplesFile = join(root, "scripts", "openapi", "examples.json");

/** A recorded call. */
type RecordedCall = {
  readonly operationId: string;
  readonly url: URL;
  readonly sent: string;
  readonly status: number;
  readonly body: unknown;
};

/** Writes a line for each operation. */
export function writeExamples(document: OpenApiDocument, calls: readonly RecordedCall[]): void {
  const lines = Object.entries(collectExamples(document, calls)).map(
    ([operationId, examples]) => `"${operationId}": ${JSON.stringify(examples)}`,
  );
  writeFileSync(examplesFile, `{\n${lines.join(",\n")}\n}\n`);
}

/** Lists of an answer's root are cut to this length. */
const longestList = 2;

/** Takes the first call of each operation and status. Parameters and body are those of the first success that has them. */
function collectExamples({ paths }: OpenApiDocument, calls: readonly RecordedCall[]): Examples {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId }) => ({ operationId, path })),
  );
  return Object.fromEntries(
    operations.map(({ operationId, path }) => {
      const own = calls.filter((call) => call.operationId === operationId);
      const successes = own.filter(({ status }) => status < 300);
      const parameters = successes.flatMap(({ url }) => [...pathParameters(path, url), ...url.searchParams]);
      const sent = successes.find((call) => call.sent !== "")?.sent;
      const answers = own.filter(({ body }) => typeof body === "object");
      return [
        operationId,
        {
          // Of several values of a name the first counts.
          parameters: Object.fromEntries(parameters.toReversed()),
          ...(sent !== undefined && { body: JSON.parse(sent) }),
          answers: Object.fromEntries(
            answers.toReversed().map(({ body, status }) => [status, shorten(body)]),
          ),
        },
      ];
    }),
  );
}

function pathParameters(path: string, { pathname }: URL): (readonly [string, string])[] {
  const values = pathname.split("/");
  return path.split("/").flatMap((part, i) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name === undefined ? [] : [[name, decodeURIComponent(values[i] ?? "")] as const];
  });
}

function shorten(body: unknown): unknown {
  if (Array.isArray(body)) return body.slice(0, longestList);
  // This document's own example would be the document.
  const { openapi, info, ...fields } = body as Readonly<Record<string, unknown>>;
  if (info !== undefined) return { openapi, info, paths: {} };
  return Object.fromEntries(
    Object.entries(body as object).map(([name, value]) => [
      name,
      Array.isArray(value) && name in fields ? value.slice(0, longestList) : value,
    ]),
  );
}

/**
 * Adds examples to a document.
 *
 * An operation that lacks one has that of another: for a parameter of the same name, and for a refusal with the same status.
 *
 * @returns The document, and what has no example.
 */
export function addExamples(
  document: OpenApiDocument,
  examples: Examples,
): { document: OpenApiDocument; problems: readonly string[] } {
  const problems: string[] = [];
  const all = Object.values(examples).toReversed();
  const anyParameter = Object.assign({}, ...all.map(({ parameters }) => parameters));
  /** A recorded refusal of another operation with a code that the schema lists. */
  const anyRefusal = (status: string, content: Content | undefined): unknown => {
    const codes = JSON.stringify(content);
    return all
      .map(({ answers }) => answers[status] as { readonly errorCode?: string } | undefined)
      .findLast((body) => body !== undefined && codes?.includes(`"${body.errorCode}"`));
  };

  const inContent = (content: Content | undefined, example: unknown, what: string): Content | undefined => {
    const json = content?.["application/json"];
    if (json === undefined) return content;
    if (example === undefined) problems.push(`${what} has no example`);
    return { ...content, "application/json": { ...json, example } };
  };
  const inParameter = (parameter: Parameter, text: string | undefined, what: string): Parameter => {
    if (text === undefined) problems.push(`${what} has no example`);
    const { content, required, schema } = parameter;
    const example = readParameter(text ?? "", parameter);
    if (content !== undefined) return { ...parameter, content: inContent(content, example, what) as Content };
    // Reference pages fill in `example`, and would send every optional parameter.
    return required
      ? { ...parameter, example }
      : { ...parameter, schema: { ...schema, examples: [example] as JsonSchema[] } };
  };
  const inOperation = (operation: Operation): Operation => {
    const { operationId, parameters, requestBody, responses } = operation;
    const own = examples[operationId];
    return {
      ...operation,
      ...(parameters && {
        parameters: parameters.map((parameter) => {
          const { name, schema } = parameter;
          const text = own?.parameters[name] ?? schema?.default?.toString() ?? anyParameter[name];
          return inParameter(parameter, text, `Parameter ${name} of ${operationId}`);
        }),
      }),
      ...(requestBody && {
        requestBody: {
          ...requestBody,
          content: inContent(requestBody.content, own?.body, `The body of ${operationId}`) as Content,
        },
      }),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, { content, ...answer }]) => {
          const example =
            own?.answers[status] ?? (Number(status) >= 400 ? anyRefusal(status, content) : undefined);
          const shown = inContent(content, example, `Answer ${status} of ${operationId}`);
          return [status, { ...answer, ...(shown && { content: shown }) }];
        }),
      ),
    };
  };

  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, each]) => [method, inOperation(each)])),
  ]);
  // A test delivery posts what a status update does.
  const delivery = examples["testWebhook"]?.answers["202"] as { readonly payload: unknown } | undefined;
  const webhooks = Object.entries(document.webhooks).map(([name, { post }]) => {
    const { requestBody } = post;
    const content = inContent(requestBody?.content, delivery?.payload, `The body of ${name}`) as Content;
    return [name, { post: { ...post, requestBody: { ...requestBody, content } } }];
  });
  return {
    document: { ...document, paths: Object.fromEntries(paths), webhooks: Object.fromEntries(webhooks) },
    problems,
  };
}

/** The value that the text of a parameter stands for. */
function readParameter(text: string, { content, schema, style }: Parameter): unknown {
  if (content !== undefined) return JSON.parse(text || "null");
  if (style === "form") return text.split(",");
  return /^(?:boolean|integer|number)$/.test(String(schema?.type)) ? JSON.parse(text || "null") : text;
}
