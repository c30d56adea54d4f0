// A process of the test of memory: `node --expose-gc reorgsMemoryProcess.ts count`. Sends by how many bytes it grew for each of so
// many balances that it set, on a chain that keeps its states.
import { type Address, toHex, zeroAddress } from "viem";
import { startEmulator } from "../../emulator/index.ts";

const count = Number(process.argv[2]);
const warmUp = 200;

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
process.send?.((memory() - before) / count, () => process.exit());
