// An emulator over chains that run elsewhere: `node --expose-gc memoryEmulator.ts database id=url …`. Sends what `--out` would
// hold, then answers each message with the bytes that its heap holds after a collection.
import { startEmulator } from "../../emulator/index.ts";

const [database = "", ...chains] = process.argv.slice(2);
const emulator = await startEmulator({
  chains: chains.map((chain) => {
    const [id = "", rpcUrl = ""] = chain.split(/=(.*)/s);
    return { id: Number(id), rpcUrl };
  }),
  database,
  port: 0,
});
process.on("message", () => {
  // The second run frees what finalizers of the first let go.
  globalThis.gc?.();
  globalThis.gc?.();
  const { external, heapUsed, rss } = process.memoryUsage();
  process.send?.({ external, heapUsed, rss });
});
process.on("disconnect", () => process.exit());
process.send?.(emulator.info);
