// A process of the campaign of quote mutations: `node quoteMutationsProcess.ts seed first count batch`. Sends a report after each
// batch to the process that forked it.
import { openLab } from "../../test/helpers/quoteMutations/runMutations.ts";

const [seed = "", ...numbers] = process.argv.slice(2);
const [first = 0, count = 0, batch = 1] = numbers.map(Number);
for (let begin = first; begin < first + count; begin += batch) {
  // Mutants leave traces on public contracts: each batch has chains of its own.
  const lab = await openLab();
  const size = Math.min(batch, first + count - begin);
  process.send?.(await lab.run(seed, size, { first: begin, isSystematic: true }));
  await lab.stop();
}
process.disconnect?.();
