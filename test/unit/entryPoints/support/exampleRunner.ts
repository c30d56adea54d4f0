import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect, isDeepStrictEqual } from "node:util";
import { listEntryPoints } from "../../../../scripts/checks/entryPoints.ts";
import { root } from "../../../../scripts/checks/runTool.ts";
import { markProven, type UnprovenWithdrawal } from "../../../../src/perps/Withdrawal.ts";

/** An example with its declared values and the local targets of public URLs. */
export type ExampleToRun = {
  readonly code: string;
  /** Declared values, by name. */
  readonly givens: Readonly<Record<string, unknown>>;
  readonly hosts: Readonly<Record<string, string>>;
};
export type ExampleOutcome = { readonly failure?: string | undefined };

const scheme = "example:";

/** Turns an example's comment on a literal into a check: `console.log(value); // 1`. */
export function withChecks(code: string): string {
  return code.replace(
    /^( *)(?:console\.log\((.*)\)|((?:await )?[a-z][A-Za-z0-9]*\(.*\)));(?: |\n\1)\/\/ (.+)$/gm,
    (line, indent: string, printed: string | undefined, value: string | undefined, expected: string) =>
      isLiteral(expected) ? `${indent}globalThis.expectValue([${printed ?? value}], [${expected}]);` : line,
  );
}

/** Defines an example's declared values: `declare const order: Order;`. */
export function withGivens(code: string): string {
  return code.replace(/^declare const (\w+): (.+);$/gm, "const $1: $2 = globalThis.givens.$1;");
}

function isLiteral(text: string): boolean {
  return /^(?:-?\d[\d_.]*n?|".*"|'.*'|true|false|undefined|null|\[.*\]|\{ .* \})$/.test(text);
}

function expectValue(actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`It says ${inspect(expected)}, and gives ${inspect(actual)}.`);
}

/** Resolves `waybill/…` to the sources, and everything else as from the repository. */
function loadExamples(codes: Map<string, string>): void {
  const sources = new Map(
    listEntryPoints().map(({ source, specifier }) => [specifier, pathToFileURL(join(root, source)).href]),
  );
  const parent = pathToFileURL(join(root, "package.json")).href;
  registerHooks({
    load: (url, context, next) => {
      const source = codes.get(url);
      if (source === undefined) return next(url, context);
      return { format: "module-typescript", shortCircuit: true, source };
    },
    resolve: (specifier, context, next) => {
      if (specifier.startsWith(scheme)) return { shortCircuit: true, url: specifier };
      const source = sources.get(specifier);
      if (source !== undefined) return { shortCircuit: true, url: source };
      return next(specifier, {
        ...context,
        parentURL: context.parentURL?.startsWith(scheme) ? parent : context.parentURL,
      });
    },
  });
}

/** Runs one example after the other, as they come from the process that started this one. */
function serveExamples(send: (outcome: ExampleOutcome) => void): void {
  const codes = new Map<string, string>();
  loadExamples(codes);
  Object.assign(globalThis, { expectValue });
  console.log = () => undefined;
  const { fetch, WebSocket } = globalThis;
  let count = 0;
  process.on("message", ({ code, givens, hosts }: ExampleToRun) => {
    const move = (text: string) => {
      const moved = Object.entries(hosts).reduce((url, [from, to]) => url.replace(from, to), text);
      if (!/^(?:http|ws):\/\/127\.0\.0\.1:/.test(moved))
        throw new TypeError("Nothing but this machine is asked.");
      return moved;
    };
    globalThis.fetch = async (input, init) =>
      input instanceof Request
        ? fetch(new Request(move(input.url), input), init)
        : fetch(move(String(input)), init);
    globalThis.WebSocket = class extends WebSocket {
      constructor(url: string | URL) {
        super(move(String(url)));
      }
    };
    // It came as a copy, and copies are not proven.
    if ("withdrawal" in givens) markProven(givens["withdrawal"] as UnprovenWithdrawal);
    Object.assign(globalThis, { givens });
    count += 1;
    const url = `${scheme}${count}`;
    codes.set(url, withChecks(withGivens(code)));
    import(url).then(
      () => send({}),
      (error: unknown) => send({ failure: inspect(error) }),
    );
  });
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  serveExamples((outcome) => process.send?.(outcome));
}
