import type { EmulatorInfo } from "../../../emulator/index.ts";
import type { AnswerRecorder } from "./documentedAnswers.ts";

/** Method, path, body and further headers of a request. */
export type SentRequest = readonly [
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
];

/** Sends a request with the emulator's keys through a recorder, which checks the answer. Returns the status. */
export async function sendWithKeys(
  { adminKey, apiKeys, apiUrl }: EmulatorInfo,
  recorder: AnswerRecorder,
  [method, path, body, headers = {}]: SentRequest,
): Promise<number> {
  const keys = path.startsWith("/admin/")
    ? { "x-admin-key": adminKey }
    : { "x-api-key": apiKeys[0]?.key ?? "" };
  const answer = await recorder.fetch(
    new Request(`${apiUrl}${path}`, {
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      headers: { ...keys, ...headers },
      method,
    }),
  );
  return answer.status;
}
