// Started as a process: `node loadedModulesProcess.ts parameters`. Starts an emulator, and sends which optional packages
// it loaded, and the CPU time of the start in milliseconds.
import { registerHooks } from "node:module";

const optional = ["litesvm", "@solana/kit", "pg"];

async function measure(parameters: object) {
  const loaded = new Set<string>();
  registerHooks({
    load: (url, context, next) => {
      const name = optional.find((each) => url.includes(`/node_modules/${each}/`));
      if (name !== undefined) loaded.add(name);
      return next(url, context);
    },
  });
  const begin = process.cpuUsage();
  const { startEmulator } = await import("../../../emulator/index.ts");
  const emulator = await startEmulator({ chainPorts: [0, 0], port: 0, ...parameters });
  const { system, user } = process.cpuUsage(begin);
  await emulator.stop();
  return { cpuMs: (system + user) / 1_000, loaded: [...loaded].sort() };
}

// Mocha imports every file below `test`: as an import, this one must start nothing.
if (process.argv[1] === import.meta.filename) {
  const start = await measure(JSON.parse(process.argv[2] ?? "{}") as object);
  process.send?.(start, () => process.exit());
}
