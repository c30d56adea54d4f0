// Started as a process: `node --expose-gc reorgsMemoryProcess.ts count`. Sets `count` balances on a chain that keeps
// its states, and sends the growth of the process in bytes per balance.
import { type Address, toHex, zeroAddress } from "viem";
import { startEmulator } from "../../../emulator/index.ts";

const warmUp = 200;

async function measure(count: number): Promise<number> {
  const { control, info } = await startEmulator({ chainPorts: [0, 0], port: 0, reorgs: true });
  const chainId = info.chains[0]?.id ?? 0;
  const set = async (first: number, last: number) => {
    for (let index = first; index < last; index++) {
      const account: Address = toHex(0xacc0_0000 + index, { size: 20 });
      await control.balances.set({ account, amount: 1n, chainId, currency: zeroAddress });
    }
  };
  const memory = () => {
    globalThis.gc?.();
    globalThis.gc?.();
    return process.memoryUsage().rss;
  };
  await set(0, warmUp);
  const before = memory();
  await set(warmUp, warmUp + count);
  return (memory() - before) / count;
}

// Mocha imports every file below `test`: as an import, this one must start nothing.
if (process.argv[1] === import.meta.filename) {
  const bytes = await measure(Number(process.argv[2]));
  process.send?.(bytes, () => process.exit());
}
