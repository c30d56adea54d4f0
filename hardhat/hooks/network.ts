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
      Object.assign(connection, { waybill: waybillConnection(context, connection) });
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
