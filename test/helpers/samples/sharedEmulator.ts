/** Stands in for `@waybill/emulator/testing` in the documents' samples, which share one emulator. */
import type { TestEmulator } from "../../../testing/index.ts";

export { waybillMatchers } from "../../../testing/index.ts";

let shared: TestEmulator;

export function share(emulator: TestEmulator): void {
  shared = Object.assign(Object.create(emulator), { stop: async () => undefined });
}

export const startTestEmulator = async (): Promise<TestEmulator> => shared;
