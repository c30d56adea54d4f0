import type { Deps } from "../../../emulator/http/route/Route.ts";

/** Stands for whatever routes are made with: nothing of it is used until a request comes. */
const anything: object = new Proxy(() => anything, { get: () => anything });

/** What routes can be made and described with, and not asked. */
export const idleDeps = {
  context: anything,
  control: anything,
  cors: true,
  restartSockets: anything,
  solver: anything,
  webhooks: anything,
} as unknown as Deps;
