import type { JsonSchema, OpenApiDocument, Operation } from "../../../scripts/openapi/OpenApiDocument.ts";
import { ajvWitness } from "./ajvWitness.ts";

/** An answer with its request and their operation in the document. */
type SeenAnswer = {
  readonly operationId: string;
  readonly url: URL;
  /** Body of the request. */
  readonly sent: string;
  readonly status: number;
  /** JSON, or text. */
  readonly body: unknown;
  /** Differences from the description; empty if there are none. */
  readonly faults: readonly string[];
};

/** Checks the answers of a server by its document. */
export type AnswerRecorder = {
  /** The same `fetch`, which checks every answer. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly seen: readonly SeenAnswer[];
};

export function recordAnswers(
  document: OpenApiDocument,
  fetch: (request: Request) => Promise<Response>,
): AnswerRecorder {
  const seen: SeenAnswer[] = [];
  const validate = ajvWitness(document);
  return {
    fetch: async (request) => {
      const { method } = request;
      const url = new URL(request.url);
      const sent = await request.clone().text();
      const answer = await fetch(request);
      const found = operationOf(document, method.toLowerCase(), url.pathname);
      const text = await answer.clone().text();
      const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
      const body: unknown = isJson ? JSON.parse(text) : text;
      seen.push({
        body,
        faults:
          found === undefined
            ? [`${method} ${url} is not in the document`]
            : faultsOf(found, answer, body, validate),
        operationId: found?.operationId ?? "",
        sent,
        status: answer.status,
        url,
      });
      return answer;
    },
    seen,
  };
}

function faultsOf(
  { responses }: Operation,
  answer: Response,
  body: unknown,
  validate: (schema: JsonSchema, body: unknown) => readonly string[],
): readonly string[] {
  const described = responses[answer.status];
  if (described === undefined) return [`status ${answer.status} is not described`];
  const missing = Object.keys(described.headers ?? {})
    .filter((name) => !answer.headers.has(name))
    .map((name) => `the header ${name} is missing`);
  const [type] = (answer.headers.get("content-type") ?? "").split(";");
  if (described.content === undefined) return body === "" ? missing : [...missing, "there is a body"];
  const content = described.content[type ?? ""];
  if (content === undefined) return [...missing, `the media type ${type} is not described`];
  return type === "application/json" ? [...missing, ...validate(content.schema, body)] : missing;
}

/** The operation that a path belongs to; paths without parameters come first. */
function operationOf({ paths }: OpenApiDocument, method: string, pathname: string): Operation | undefined {
  const candidates = Object.entries(paths)
    .filter(([path]) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(pathname))
    .sort(([a], [b]) => a.split("{").length - b.split("{").length);
  return candidates.map(([, methods]) => methods[method]).find((operation) => operation !== undefined);
}
