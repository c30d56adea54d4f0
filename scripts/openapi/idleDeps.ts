import type { Deps } from "../../emulator/http/route/Route.ts";

/** Placeholder for the routes' dependencies: none is used before a request. */
const anything: object = new Proxy(() => anything, { get: () => anything });

/** Dependencies with which routes can be built and described, but not called. */
export const idleDeps = {
  activity: anything,
  calls: anything,
  context: anything,
  control: anything,
  cors: true,
  restartSockets: anything,
  solver: anything,
  stopping: anything,
  webhooks: anything,
} as unknown as Deps;
