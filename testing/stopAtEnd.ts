import { AsyncResource } from "node:async_hooks";

/** Calls `stop` once the tests are over: open servers keep a run of Node's test runner or of mocha from ending. */
export async function stopAtEnd(stop: () => Promise<void>): Promise<void> {
  // The Hardhat plugin leaves the sign: Hardhat runs Node's tests in its own process.
  if (process.env["NODE_TEST_CONTEXT"] !== undefined || Symbol.for("waybill.nodeTests") in globalThis) {
    const { after } = await import("node:test");
    // A resource without a trigger belongs to no test, so that the hook is the file's: in a hook or a test, it would run at their end.
    new AsyncResource("waybill", { triggerAsyncId: 0 }).runInAsyncScope(() => after(stop));
    return;
  }
  // Once mocha runs, its global hook belongs to the whole run. Vitest has one too, and ends its workers itself.
  const { after } = globalThis as { readonly after?: (hook: () => Promise<void>) => void };
  if (typeof after === "function" && "specify" in globalThis) after(stop);
}
