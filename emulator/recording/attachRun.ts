import type { Context } from "../context/Context.ts";
import { describeAnswer, describeResponse } from "./answers.ts";
import type { Input } from "./Recording.ts";
import type { Run } from "./Run.ts";
import { callByName, recordCalls } from "./recordCalls.ts";
import { settleSolver } from "./settleSolver.ts";

type Fetch = (request: Request) => Promise<Response>;

/** The running parts that take inputs. */
type Parts<Handle extends object> = {
  readonly context: Context;
  readonly fetch: Fetch;
  readonly handle: Handle;
  readonly solver: Parameters<typeof settleSolver>[0]["solver"];
};

/** Passes all inputs of a running emulator through a run, and begins it. */
export function attachRun<Handle extends object>(
  run: Run,
  parts: Parts<Handle>,
): { readonly fetch: Fetch; readonly handle: Handle; begin(): Promise<void> } {
  return {
    begin: () => run.begin({ perform: (input) => perform(input, parts), settle: () => settleSolver(parts) }),
    fetch: (request) => admitRequest(request, run, parts.fetch),
    handle: recordCalls(parts.handle, run),
  };
}

/** Methods of HTTP requests that change nothing. */
const safe: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

async function admitRequest(request: Request, run: Run, fetch: Fetch): Promise<Response> {
  if (safe.has(request.method)) return fetch(request);
  const body = await request.text();
  const { pathname, search } = new URL(request.url);
  const { method } = request;
  const input: Input = {
    body,
    headers: [...request.headers],
    kind: "http",
    method,
    path: `${pathname}${search}`,
  };
  const { headers, signal, url } = request;
  const again = new Request(url, { headers, method, signal, ...(body !== "" && { body }) });
  return run.admit(input, () => fetch(again), describeAnswer);
}

async function perform<Handle extends object>(
  input: Input,
  { context, fetch, handle }: Parts<Handle>,
): Promise<unknown> {
  switch (input.kind) {
    case "call":
      return (await callByName(handle, input.name, input.args)) ?? null;
    case "http": {
      const { body, headers, method, path } = input;
      const init = { headers, method, ...(body !== "" && { body }) };
      return describeAnswer(await fetch(new Request(`http://localhost${path}`, init)));
    }
    case "rpc": {
      const result = await context.chains.get(input.chainId)?.rpc(input.method, input.params);
      return describeResponse({ result });
    }
    case "tick":
      return null;
  }
}
