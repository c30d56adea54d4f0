import { isRevert } from "../../router/revertReason.ts";

/**
 * What a contract answers; `undefined` where it has no such function.
 *
 * @throws Whatever the node fails with: that says nothing about the contract.
 */
export async function answerOf<Answer>(read: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isRevert(error) || hasNoShape(error)) return undefined;
    throw error;
  }
}

/** A fallback may answer with nothing, or with something else. */
function hasNoShape(error: unknown): boolean {
  return error instanceof Error && /returned no data|out of bounds|does not match/i.test(error.message);
}
