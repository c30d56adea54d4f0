/**
 * The main job, end to end: money crosses from one local chain to another through a contract that verifies the solver's
 * record first, and five forged ways of paying are refused. Ends with a non-zero code unless every claim was checked.
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
  // Any free ports, so that the demo runs beside an emulator.
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
