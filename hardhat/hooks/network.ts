import { AsyncResource } from "node:async_hooks";
import type { NetworkHooks } from "hardhat/types/hooks";
import { waybillMatchers } from "../../testing/index.ts";
import { connectionToServe, waybillConnection } from "../WaybillConnection.ts";

export default async (): Promise<Partial<NetworkHooks>> => {
  await addMatchers();
  return {
    closeConnection: async (context, connection, next) => {
      await connection.waybill.stop();
      return next(context, connection);
    },
    newConnection: async (context, next) => {
      const served = connectionToServe();
      if (served !== undefined) return served as Awaited<ReturnType<typeof next>>;
      const connection = await next(context);
      const service = waybillConnection(context, connection);
      Object.assign(connection, { waybill: service });
      await stopWithNodeTest(service.stop);
      return connection;
    },
  };
};

/** Adds the matchers to the project's chai, if it has one. */
async function addMatchers(): Promise<void> {
  const chai = await import("chai").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  });
  chai?.use(waybillMatchers);
}

/** Node's test runner runs each file in a process, which ends only once all servers are closed; Hardhat has no hook there. */
async function stopWithNodeTest(stop: () => Promise<void>): Promise<void> {
  if (process.env["NODE_TEST_CONTEXT"] === undefined) return;
  const { after } = await import("node:test");
  // A resource without a trigger belongs to no test, so that the hook is the file's: in a hook or a test, it would run at their end.
  new AsyncResource("waybill", { triggerAsyncId: 0 }).runInAsyncScope(() => after(stop));
}
