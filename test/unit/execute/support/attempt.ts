import type { ExecutionState } from "../../../../src/execute/ExecutionState.ts";
import { type ExecuteParameters, type ExecuteReturnType, execute } from "../../../../src/execute/execute.ts";
import { paymentLedger } from "../../../../src/execute/paymentLedger.ts";
import type { ExecuteProgress } from "../../../../src/execute/Run.ts";
import type { Quote } from "../../../../src/schema/quote/quote.ts";
import {
  type Answer,
  type FakeService,
  fakeService,
  json,
  rejectionOf,
} from "../../client/support/fakeService.ts";
import { bridgeQuote, statusAnswer } from "../../client/support/samples.ts";
import { type FakeChain, fakeChain, type Sent } from "./fakeChain.ts";

/** The status of a filled request. */
export const success = json(statusAnswer("success", { inTxHashes: ["0x01"], txHashes: ["0x02"] }));

/** Parameters of `execute`, and the fakes that it runs against. */
export type AttemptParameters = Partial<ExecuteParameters> & {
  chain?: FakeChain;
  service?: FakeService;
  /** Steps of the quote. Default one deposit. */
  steps?: Quote["steps"];
};

/** The calls that a run made. */
type Seen = Pick<FakeService, "calls" | "sleeps"> & {
  chain: FakeChain;
  events: ExecuteProgress[];
  sent: Sent[];
};

/**
 * Starts `execute` without a proof, as a process of its own, against a chain and a service where everything succeeds, and
 * records its calls.
 */
export function start({
  chain = fakeChain(),
  onProgress,
  service: { calls, client, sleeps } = fakeService([success]),
  steps,
  ...parameters
}: AttemptParameters = {}): Seen & { result: Promise<ExecuteReturnType> } {
  const events: ExecuteProgress[] = [];
  const record = async (event: ExecuteProgress) => {
    events.push(event);
    await onProgress?.(event);
  };
  paymentLedger.clear();
  const quote = bridgeQuote(steps);
  const defaults = { quote, verify: false, wallet: chain.wallet } as const;
  const result = execute(client, { ...defaults, ...parameters, onProgress: record });
  return { calls, chain, events, result, sent: chain.sent, sleeps };
}

/** Same as `start`, until the run succeeds. */
export async function succeed(parameters?: AttemptParameters): Promise<Seen & { result: ExecuteReturnType }> {
  const started = start(parameters);
  return { ...started, result: await started.result };
}

/** Same as `start`, until the run fails; returns the last reported state too. */
export async function fail(
  parameters?: AttemptParameters,
): Promise<Seen & { error: unknown; state: ExecutionState | undefined }> {
  const { result, ...seen } = start(parameters);
  const error = await rejectionOf(result);
  return { ...seen, error, state: seen.events.at(-1)?.state };
}

/** A service that answers submissions with `answers`, in order, and every status with success. */
export function submissions(...answers: Answer[]): FakeService {
  let count = 0;
  return fakeService([
    async (call, signal) => {
      if (call.method === "GET") return success.clone();
      const answer = answers[count++] ?? json({});
      if (answer instanceof Error) throw answer;
      return answer instanceof Response ? answer : answer(call, signal);
    },
  ]);
}
