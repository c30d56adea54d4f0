// A process of the campaign of hostile nodes: `node hostileNodeProcess.ts seed first count batch`. Sends a report after each
// batch to the process that forked it.
import { openLab } from "../../test/helpers/hostileNode/runHostileNode.ts";

const [seed = "", ...numbers] = process.argv.slice(2);
const [first = 0, count = 0, batch = 1] = numbers.map(Number);
const lab = await openLab();
for (let begin = first; begin < first + count; begin += batch) {
  const size = Math.min(batch, first + count - begin);
  process.send?.(await lab.run(seed, size, { first: begin }));
}
await lab.close();
process.disconnect?.();
