import { AsyncResource } from "node:async_hooks";

let isExpected = process.env["NODE_TEST_CONTEXT"] !== undefined;

/** Hardhat runs tests of Node's runner in its own process, which has no sign of them. */
export function expectNodeTests(): void {
  isExpected = true;
}

/** Calls `stop` once Node's tests are over: their run ends only when all servers are closed. */
export async function stopWithNodeTest(stop: () => Promise<void>): Promise<void> {
  if (!isExpected) return;
  const { after } = await import("node:test");
  // A resource without a trigger belongs to no test, so that the hook is the file's: in a hook or a test, it would run at their end.
  new AsyncResource("waybill", { triggerAsyncId: 0 }).runInAsyncScope(() => after(stop));
}
