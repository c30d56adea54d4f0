import fc from "fast-check";
import { drawsOf } from "../seededDraws.ts";
import { addFaults } from "./faults.ts";
import type { Payer } from "./Payment.ts";
import { pay } from "./pay.ts";
import { type PaymentKind, paymentKinds } from "./paymentKinds.ts";
import type { Reorgs } from "./reorgs.ts";
import { RevertedPaymentError } from "./ways.ts";
import type { World } from "./worlds.ts";

/** The users of a run, each with one payment at a time. */
export type Users = {
  /** Payments under way, by payer. */
  readonly turns: Promise<unknown>[];
  /** Of an emulator inside this process. */
  readonly reorgs: Reorgs | undefined;
};

/** A payment or a trouble. */
export type Command = fc.AsyncCommand<Users, World>;

export const payers = 6;
const mostPaid = 6;
/** Maximum delays in milliseconds: of a kill, of one before its process is ready, and of an outage. */
const longestRunMs = 250;
const longestStartMs = 1_500;
const longestAwayMs = 1_500;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The name counts the command in a report. */
function command(name: string, values: object, run: Command["run"]): Command {
  return { check: () => true, run, toString: () => `${name} ${JSON.stringify(values)}` };
}

/** Waits until the payments under way are mined. */
export const waitForUsers = ({ turns }: Users) => Promise.all(turns);

/** Lets a user pay, once its previous payment is mined. */
function payCommand(kind: PaymentKind, index: number, seed: number): Command {
  return command("pay", { index, kind, seed }, async ({ reorgs, turns }, world) => {
    await turns[index];
    const draws = drawsOf(`${seed} ${kind}`);
    const [alpha, beta] = world.chains as [Payer["origin"], Payer["origin"]];
    const [origin, destination] = index % 2 === 0 ? [alpha, beta] : [beta, alpha];
    const partner = payers + Math.floor(index / 2);
    const payer = { destination, index, origin, partner, solver: world.infos[0].solver };
    const faulty = drawsOf(`${seed} faults`);
    const onQuoted = async (id: `0x${string}`) => world.control && addFaults(world.control, kind, id, faulty);
    const asked = world.ask(drawsOf(`${seed} replicas`));
    const carryOut = async () => {
      try {
        const paid = await pay(kind, payer, draws, asked, onQuoted);
        world.payments.push(paid);
        await reorgs?.keepCode(paid);
      } catch (error) {
        // Another payment may move the pool of a drawn swap beyond its limits: then nothing moved.
        if (kind !== "drawn" || !(error instanceof RevertedPaymentError)) throw error;
      }
    };
    const turn = carryOut();
    // Awaited by the next command of the payer, or at the end.
    turn.catch(() => undefined);
    turns[index] = turn;
  });
}

/** Kills a process, mostly once it is ready, and starts it again. */
export const kill: fc.Arbitrary<Command> = fc
  .record({ delay: fc.nat(1_000), early: fc.nat(99), replica: fc.nat(11) })
  .map((drawn) =>
    command("kill", drawn, async (_, { replicas }) => {
      const { delay, early, replica: index } = drawn;
      const replica = replicas[index % replicas.length];
      const isEarly = early < 15;
      if (!isEarly) await replica?.ready;
      await pause((delay / 1_000) * (isEarly ? longestStartMs : longestRunMs));
      await replica?.kill();
      replica?.start();
    }),
  );

/** Restarts the database, or cuts all its connections. One replica is killed meanwhile at most: none starts without it. */
export const databaseOutage: fc.Arbitrary<Command> = fc
  .record({ awayMs: fc.nat(longestAwayMs), isCut: fc.boolean(), victim: fc.nat(11) })
  .map((drawn) =>
    command("outage", drawn, async (_, { database, replicas, server }) => {
      const { awayMs, isCut, victim: index } = drawn;
      if (server === undefined || database === undefined) throw new Error("the database cannot be restarted");
      for (const { ready } of replicas) await ready;
      if (isCut) return server.cutConnections(database);
      await server.halt();
      await pause(awayMs);
      const victim = replicas[index];
      await victim?.kill();
      await server.resume();
      victim?.start();
    }),
  );

/** Troubles of a node: the chance of a fault for each request. */
const nodeFaults = {
  "dropped connections": { chance: 0.1, fault: "drop" },
  "half answers": { chance: 0.1, fault: "truncate" },
  "hanging answers": { chance: 0.02, fault: "hang" },
  latency: { chance: 1, fault: { delayMs: 120 } },
  outage: { chance: 1, fault: "drop" },
  "pages instead of answers": { chance: 0.1, fault: "html" },
} as const;
const nodeFaultNames = Object.keys(nodeFaults) as (keyof typeof nodeFaults)[];

/** Troubles some nodes until the next trouble; an outage ends at once, because payments would wait for its end. */
export const nodeTrouble: fc.Arbitrary<Command> = fc
  .record({
    kind: fc.constantFrom(...nodeFaultNames),
    ms: fc.integer({ max: 2_000, min: 500 }),
    which: fc.nat(2),
  })
  .map((drawn) =>
    command("nodes", drawn, async (_, { nodes }) => {
      const { kind, ms, which } = drawn;
      const { chance, fault } = nodeFaults[kind];
      for (const [index, node] of nodes.entries()) {
        const isTroubled = which === 2 || which === index;
        node.fault = isTroubled ? () => (Math.random() < chance ? fault : undefined) : undefined;
      }
      await pause(ms);
      if (kind === "outage") for (const node of nodes) node.fault = undefined;
    }),
  );

/** Reorgs a chain while no user's transaction is under way. */
export const reorg: fc.Arbitrary<Command> = fc.nat().map((seed) =>
  command("reorg", { seed }, async (users, { payments }) => {
    await waitForUsers(users);
    const payment = payments.at(-1);
    if (payment !== undefined) await users.reorgs?.draw(payment, drawsOf(`${seed} reorg`));
  }),
);

/** A third of all payments are drawn intents; each other kind has its turn. */
const kinds: readonly PaymentKind[] = [
  ...paymentKinds,
  ...Array.from({ length: 15 }, (): PaymentKind => "drawn"),
];

/** Draws rounds of one to six payments and a trouble. */
export function drawCommands(
  rounds: number,
  troubles: readonly fc.Arbitrary<Command>[],
): fc.Arbitrary<readonly Command[]> {
  const listOf = <Value>(arbitrary: fc.Arbitrary<Value>, length: number) =>
    fc.array(arbitrary, { maxLength: length, minLength: length });
  const shuffled = fc.shuffledSubarray([...kinds], { minLength: kinds.length });
  const seeds = fc.array(fc.nat(), { maxLength: mostPaid, minLength: 1 });
  return fc
    .tuple(
      listOf(shuffled, Math.ceil((rounds * mostPaid) / kinds.length)),
      listOf(fc.tuple(seeds, fc.oneof(...troubles)), rounds),
    )
    .map(([turns, drawn]) => {
      const left = turns.flat();
      let payments = 0;
      return drawn.flatMap(([own, trouble]) => [
        ...own.map((seed) => payCommand(left.shift() ?? "drawn", payments++ % payers, seed)),
        trouble,
      ]);
    });
}
