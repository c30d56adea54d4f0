/** Basis points in a whole. */
export const basisPoints = 10_000n;
/** How far below the expected output a fill with variable output may end, unless the caller says otherwise. */
export const defaultSlippageBps = 200n;
