/**
 * Runs the main flow end to end: a payment crosses two local chains through a receiver that verifies the solver's record, and
 * five forged payments are rejected. Exits non-zero unless every claim was checked.
 */
import { startEmulator } from "../emulator/index.ts";
import { createClient, websocketStream } from "../src/client/index.ts";
import { cross, setStage } from "./demo/crossing.ts";
import { verifyPublishedRecord } from "./demo/publishedRecord.ts";
import { refuse } from "./demo/refusals.ts";
import { CheckFailedError, checksPassed, fact, title } from "./demo/report.ts";
import { connect } from "./demo/world.ts";

const started = performance.now();

async function main(): Promise<void> {
  // Free ports, so that the demo runs next to another emulator.
  const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
  try {
    const { apiUrl, chains, solver, wsUrl } = emulator.info;
    const [origin, destination] = chains.map(connect);
    if (origin === undefined || destination === undefined) throw new Error("the emulator has too few chains");
    title("The service, on this machine");
    fact("API", apiUrl);
    for (const { id, name, rpcUrl } of chains) fact(`${name} (chain ${id})`, rpcUrl);
    fact("solver", solver);

    await verifyPublishedRecord(origin);
    const service = { client: createClient({ baseUrl: apiUrl }), stream: websocketStream({ url: wsUrl }) };
    const stage = await setStage(service, solver, origin, destination);
    const paid = await cross(stage);
    await refuse(stage, paid);
  } finally {
    await emulator.stop();
  }
}

try {
  await main();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`\n${checksPassed()} checks passed in ${seconds} s.`);
} catch (error) {
  console.error(error instanceof CheckFailedError ? `\n${error.message}` : error);
  process.exitCode = 1;
}
