import { expect } from "chai";
import fc from "fast-check";
import { hexToNumber, keccak256, slice, toHex } from "viem";
import { checkAnswers, checkPayments, checkSponsor, checkWebhooks, settled } from "./checks.ts";
import { type Command, drawCommands, payers, type Users, waitForUsers } from "./commands.ts";
import { afterFaults, readFired } from "./faults.ts";
import type { Payment, RequestState } from "./Payment.ts";
import { noticeMs, openReorgs } from "./reorgs.ts";
import type { World } from "./worlds.ts";

/** Parameters of {@link runModel}. */
type ModelParameters = {
  readonly open: () => Promise<World>;
  /** Number of troubles, each after one to six payments. */
  readonly rounds: number;
  readonly seed: string;
  readonly troubles: readonly fc.Arbitrary<Command>[];
  readonly progress?: ((line: string) => void) | undefined;
};

/** Counts of a run. */
type ModelReport = {
  readonly payments: number;
  /** By kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** By name of command. */
  readonly commands: Readonly<Record<string, number>>;
  readonly reorgs: Readonly<Record<string, number>>;
};

/**
 * Lets users pay in every way while troubles happen. In the end the chains have one fill or one refund for each deposit, and
 * balanced books. HTTP reports the end of each request. Each status was posted at least once, in order. No process ended
 * except by a kill, and none logged an error. A failure names its commands.
 */
export async function runModel(parameters: ModelParameters): Promise<ModelReport> {
  const { open, progress = () => {}, rounds, seed, troubles } = parameters;
  let report: ModelReport | undefined;
  const property = fc.asyncProperty(drawCommands(rounds, troubles), async (commands) => {
    const world = await open();
    try {
      const { control } = world;
      const reorgs = control && (await openReorgs(world, control));
      const users: Users = { reorgs, turns: Array.from({ length: payers }, () => Promise.resolve()) };
      const counts: Record<string, number> = {};
      let done = 0;
      const noted = commands.map(
        (command): Command => ({
          ...command,
          run: async (...args) => {
            await command.run(...args);
            const [name = ""] = String(command).split(" ", 1);
            counts[name] = (counts[name] ?? 0) + 1;
            if (++done % 50 === 0) progress(`${done} of ${commands.length}: ${JSON.stringify(counts)}`);
          },
        }),
      );
      await fc.asyncModelRun(() => ({ model: users, real: world }), noted);
      await waitForUsers(users);
      report = { commands: counts, ...(await judge(world, users)) };
      progress(JSON.stringify(report));
    } finally {
      await world.stop();
    }
  });
  const number = hexToNumber(slice(keccak256(toHex(seed)), 0, 4)) | 0;
  const options = { endOnFailure: true, includeErrorInReport: true, numRuns: 1, unbiased: true };
  await fc.assert(property, { ...options, seed: number });
  if (report === undefined) throw new Error("the model did not run");
  return report;
}

/** Other payments may move the pool of a drawn swap beyond its limits: then the deposit goes back. */
function afterMovedPool(payment: Payment, request: RequestState | undefined): Payment {
  const { kind, plan } = payment;
  const isMoved =
    request?.failReason === "SLIPPAGE" && /Router: (?:EXCESSIVE|INSUFFICIENT)_/.test(`${request.details}`);
  if (kind !== "drawn" || plan.output !== "least" || !isMoved) return payment;
  return { ...payment, plan: { ...plan, end: "refund", fills: 0, refunds: 1 } };
}

async function judge(world: World, { reorgs }: Users): Promise<Omit<ModelReport, "commands">> {
  const { chains, closeBooks, control, errors, infos, nodes, payments, receiver, replicas } = world;
  const [info] = infos;
  for (const node of nodes) node.fault = undefined;
  for (const { ready } of replicas) await ready;
  if (reorgs !== undefined) await new Promise((resolve) => setTimeout(resolve, noticeMs));
  const requests = await settled(info, payments);
  const fired = control && (await readFired(control));
  const ended = payments.map((payment) => {
    const request = requests.get(payment.requestId ?? "0x");
    const moved = afterMovedPool(payment, request);
    const faulty = fired ? afterFaults(moved, fired, request?.status) : moved;
    return reorgs?.afterLoss(faulty, request) ?? faulty;
  });
  await checkPayments(info, chains, ended, requests);
  await checkAnswers(infos, ended);
  await checkSponsor(info, ended);
  await checkWebhooks(info, receiver, ended, requests);
  expect(await closeBooks(ended), "books").to.deep.equal([]);
  // Fails for a replica that exited without a kill.
  for (const { kill } of replicas) await kill();
  expect(errors, "errors of the log").to.deep.equal([]);
  const kinds: Record<string, number> = {};
  for (const { kind } of payments) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return { kinds, payments: payments.length, reorgs: reorgs?.count(requests.values()) ?? {} };
}
