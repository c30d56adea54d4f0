import { adminKey, setKey } from "./session.ts";

/** The emulator refused a call, or did not answer. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Options = {
  readonly method?: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
};

/** Calls the emulator. The admin key goes to paths below `/admin` alone, and follows no redirect. */
export async function open(path: string, { body, method = "GET", signal }: Options = {}): Promise<Response> {
  const key = path.startsWith("/admin/") ? adminKey.peek() : undefined;
  const answer = await fetch(path, {
    ...(body !== undefined && { body: JSON.stringify(body) }),
    credentials: "omit",
    headers: {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(key !== undefined && { "x-admin-key": key }),
    },
    method,
    redirect: "error",
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, "The emulator does not answer.");
  });
  if (answer.ok) return answer;
  if (answer.status === 401 && key !== undefined && adminKey.peek() === key) setKey(undefined);
  const { message = answer.statusText } = (await answer.json().catch(() => ({}))) as { message?: string };
  throw new ApiError(answer.status, message);
}

/** Calls the emulator and reads the JSON of its answer. */
export async function call<Body>(path: string, options?: Options): Promise<Body> {
  const answer = await open(path, options);
  return (answer.status === 204 ? undefined : await answer.json()) as Body;
}
