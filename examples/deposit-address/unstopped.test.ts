import { startTestEmulator } from "@waybill/emulator/testing";
import { expect, test } from "vitest";

test("an emulator that no test stops: ends with vitest's worker", async () => {
  const { info } = await startTestEmulator();
  expect((await fetch(`${info.apiUrl}/chains`)).status).toBe(200);
});
