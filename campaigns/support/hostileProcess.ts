// A process of a hostile campaign: `node hostileProcess.ts quotes|nodes seed first count batch`. Sends a tally after each batch to the
// process that forked it.
import { openNodeLab } from "../../test/helpers/hostileNode/openNodeLab.ts";
import { openQuoteLab } from "../../test/helpers/hostileQuotes/openQuoteLab.ts";

const [kind, seed = "", ...numbers] = process.argv.slice(2);
const [first = 0, count = 0, batch = 1] = numbers.map(Number);
for (let begin = first; begin < first + count; begin += batch) {
  // Runs leave traces on public contracts: each batch has chains of its own.
  const lab = await (kind === "quotes" ? openQuoteLab() : openNodeLab());
  process.send?.(await lab.run(seed, Math.min(batch, first + count - begin), { first: begin }));
  await lab.close();
}
process.disconnect?.();
