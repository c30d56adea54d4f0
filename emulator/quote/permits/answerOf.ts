import { isRevert } from "../../router/revertReason.ts";

/**
 * Awaits a contract's answer; `undefined` if it lacks the function.
 *
 * @throws The node's own errors, which say nothing about the contract.
 */
export async function answerOf<Answer>(read: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isRevert(error) || hasNoShape(error)) return undefined;
    throw error;
  }
}

/** A fallback function may answer with no data or with another shape. */
function hasNoShape(error: unknown): boolean {
  return error instanceof Error && /returned no data|out of bounds|does not match/i.test(error.message);
}
