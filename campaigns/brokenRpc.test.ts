import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { startChains } from "../emulator/index.ts";
import { openBooks } from "../test/helpers/conservation/openBooks.ts";
import { openOtherBooks } from "../test/helpers/conservation/otherBooks.ts";
import { testChain } from "../test/helpers/emulatorFixture.ts";
import {
  checkAnswers,
  checkBooks,
  checkPayments,
  checkSponsor,
  settled,
} from "../test/helpers/kills/checks.ts";
import { launcher } from "../test/helpers/kills/launcher.ts";
import { type Load, startLoad } from "../test/helpers/kills/load.ts";
import { type MortalRpc, type RpcFault, startMortalRpc } from "../test/helpers/network/mortalRpc.ts";
import { takeAuthorizations } from "../test/helpers/quotes/permits.ts";
import { type Draws, drawsOf } from "../test/helpers/seededDraws.ts";
import { campaignSeed, pause, progress, sizeOf } from "./support/campaign.ts";

const rounds = sizeOf(8, 120);
const blockMs = 200;
const longestTroubleMs = 2_000;
const longestCalmMs = 1_000;
/** Payments that a trouble waits for, and the longest wait in milliseconds. */
const leastPaid = 4;
const longestWaitMs = 15_000;

/** Troubles of a node: the chance of a fault for each request. */
const troubles = {
  "dropped connections": { chance: 0.1, fault: () => "drop" },
  "half answers": { chance: 0.1, fault: () => "truncate" },
  "hanging answers": { chance: 0.02, fault: () => "hang" },
  latency: { chance: 1, fault: (draws) => ({ delayMs: draws.whole(0, 250) }) },
  outage: { chance: 1, fault: () => "drop" },
  "pages instead of answers": { chance: 0.1, fault: () => "html" },
} as const satisfies Record<string, { chance: number; fault: (draws: Draws) => RpcFault }>;
type Trouble = keyof typeof troubles;
const kinds = Object.keys(troubles) as Trouble[];

/** Troubles some nodes for a while: until users have paid through it, where the trouble lets them. */
async function trouble(nodes: readonly MortalRpc[], kind: Trouble, load: Load, draws: Draws): Promise<void> {
  const { chance, fault } = troubles[kind];
  const enough = load.payments.length + leastPaid;
  for (const node of nodes) node.fault = () => (draws.chance(chance) ? fault(draws) : undefined);
  await pause(draws.whole(longestTroubleMs / 2, longestTroubleMs));
  const end = performance.now() + (kind === "outage" ? 0 : longestWaitMs);
  while (load.payments.length < enough && performance.now() < end) await pause(20);
  for (const node of nodes) node.fault = undefined;
}

describe("an emulator over chains with block time whose nodes drop, truncate, delay and misanswer requests", () => {
  it("quotes or answers 503, fills or gives back each deposit once, to the unit, and ends by no fault", async function () {
    this.timeout(3_600_000);
    const seed = campaignSeed("broken rpc");
    const draws = drawsOf(seed);
    const folder = await mkdtemp(join(tmpdir(), "waybill-rpc-"));
    const { chains, close } = await startChains({ chainPorts: [0, 0] });
    const nodes = await Promise.all(chains.map(({ rpcUrl }) => startMortalRpc({ rpcUrl })));
    const where = chains.map(({ definition: { id } }, index) => ({ id, rpcUrl: nodes[index]?.url ?? "" }));
    const emulator = launcher(where, join(folder, "emulator.db"), folder)();
    try {
      const { info: behind } = await emulator.ready;
      // Users pay by the chains' own nodes.
      const own = behind.chains.map((chain, index) => ({ ...chain, rpcUrl: chains[index]?.rpcUrl ?? "" }));
      const info = { ...behind, chains: own };
      const [alpha, beta] = own.map(testChain);
      if (alpha === undefined || beta === undefined) throw new Error("the emulator has too few chains");
      await takeAuthorizations(beta);
      const books = await Promise.all([alpha, beta].map((chain) => openBooks(chain, info.solver, [])));
      const ledgers = await openOtherBooks(info);
      for (const { rpc } of chains) {
        await rpc("evm_setAutomine", [false]);
        await rpc("evm_setIntervalMining", [blockMs]);
      }
      const load = await startLoad([info], seed);
      for (let round = 1; round <= rounds; round++) {
        await Promise.race([load.ended, pause(draws.whole(0, longestCalmMs))]);
        // Each kind has its turn, on one chain or both.
        const kind = kinds[round % kinds.length] ?? "latency";
        const troubled = draws.pick([nodes, nodes.slice(0, 1), nodes.slice(1)]);
        await trouble(troubled, kind, load, draws);
        progress(`${round} of ${rounds} rounds, ${load.payments.length} payments, last ${kind}`);
      }
      const payments = await load.stop();
      const requests = await settled(info, payments);
      await checkPayments(info, payments, requests);
      await checkAnswers([info], payments);
      await checkSponsor(info, payments);
      await checkBooks(books, payments, ledgers);
      await emulator.kill();
      progress(`${payments.length} payments right`);
      expect(payments.length).to.be.at.least(rounds);
    } finally {
      await emulator.kill().catch(() => undefined);
      for (const node of nodes) node.stop();
      await Promise.all(chains.map(({ rpc }) => rpc("evm_setIntervalMining", [0])));
      await close();
      await rm(folder, { force: true, recursive: true });
    }
  });
});
