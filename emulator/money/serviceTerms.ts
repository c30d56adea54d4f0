import { oneUsd, type Usd } from "./prices.ts";

/** Basis points in a whole. */
export const basisPoints = 10_000n;

/** Tolerance of an output that varies, unless the request names another one; basis points. */
export const defaultSlippageBps = 200n;

/** Flat part of the execution fee: two cents. */
export const flatFee: Usd = oneUsd / 50n;
