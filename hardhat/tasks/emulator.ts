import { renameSync, writeFileSync } from "node:fs";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";

type Arguments = {
  readonly origin: string | undefined;
  readonly out: string | undefined;
  readonly port: number;
};

/** Runs the emulator over the project's network and its twin, until Ctrl-C. */
export default async function emulator(
  { origin, out, port }: Arguments,
  { network }: HardhatRuntimeEnvironment,
): Promise<void> {
  const stop = stopped();
  const connection = await network.create();
  try {
    const { info } = await connection.waybill.start({ port, ...(origin !== undefined && { origin }) });
    if (out !== undefined) writeInfo(out, info);
    const lines = [
      ...info.chains.map(({ id, name, rpcUrl }) => `chain ${id}, ${name}: ${rpcUrl}`),
      `API: ${info.apiUrl}`,
      `console: ${info.consoleUrl}`,
      "Ready. Stop with Ctrl-C.",
    ];
    console.log(lines.join("\n"));
    await stop;
  } finally {
    await connection.close();
  }
}

/** Writes the document for its owner alone, because it has keys. */
function writeInfo(file: string, info: object): void {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Resolves at the first signal. A second one ends the process. */
function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
}
