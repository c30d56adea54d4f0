/** The recorded part of an answer that is an error. */
export const failed = { isError: true } as const;

/** The recorded part of a JSON-RPC response. */
export function describeResponse(response: unknown): unknown {
  if (typeof response !== "object" || response === null || "error" in response) return failed;
  return { result: "result" in response ? response.result : null };
}

/** The recorded part of an HTTP answer. */
export async function describeAnswer(answer: Response): Promise<unknown> {
  return { body: await answer.clone().text(), status: answer.status };
}
