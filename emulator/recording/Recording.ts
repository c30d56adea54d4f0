import * as z from "zod";
import type { ChainPace } from "../chains/local/startChain.ts";

/** Version of the file's form. */
export const recordingVersion = 1;

/** First line of a recording: how the run began. */
export const headerSchema = z.strictObject({
  version: z.literal(recordingVersion),
  seed: z.string(),
  /** Address of the API, which links in answers begin with. */
  apiUrl: z.string(),
  /** Start of the clock, in Unix milliseconds. */
  at: z.int(),
  /** Parameters of the start that results depend on. */
  parameters: z.strictObject({
    advancePerKey: z.string().optional(),
    advancePerRequest: z.string().optional(),
    allowRemoteWebhooks: z.boolean().optional(),
    capacityPerRequest: z.string().optional(),
    chainCount: z.int().optional(),
    chainIds: z.array(z.int()).optional(),
    defaultKey: z.boolean().optional(),
    perps: z.boolean().optional(),
    privateChains: z.array(z.strictObject({ id: z.int(), uuid: z.string() })).optional(),
    lenient: z.boolean().optional(),
    rateLimits: z.boolean().optional(),
    reorgs: z.boolean().optional(),
    requestsV2Sunset: z.string().optional(),
    routerVersion: z.enum(["v3", "v2.1"]).optional(),
    svm: z.boolean().optional(),
  }),
});

export type Header = z.output<typeof headerSchema>;

const inputSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("http"),
    method: z.string(),
    /** Path with its query. */
    path: z.string(),
    headers: z.array(z.tuple([z.string(), z.string()])),
    body: z.string(),
  }),
  z.strictObject({
    kind: z.literal("rpc"),
    chainId: z.int(),
    method: z.string(),
    params: z.array(z.unknown()),
  }),
  /** A call of the emulator's handle, such as `control.faults.add`. */
  z.strictObject({ kind: z.literal("call"), name: z.string(), args: z.array(z.unknown()) }),
  /** The clock moves, and something waited for it. */
  z.strictObject({ kind: z.literal("tick") }),
]);

export type Input = z.output<typeof inputSchema>;

/** A line of a recording after the first: an input, its time and what came of it. */
export const lineSchema = z.strictObject({
  /** Unix milliseconds of the clock's base. */
  at: z.int(),
  input: inputSchema,
  /** Answer, as JSON values. */
  answer: z.unknown(),
  /** State of the emulator once it has settled. */
  state: z.string(),
});

export type Line = z.output<typeof lineSchema>;

/** A value as JSON that keeps `bigint`s. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "bigint" ? { $bigint: each.toString() } : each,
  );
}

/** The value of {@link toJson}. */
export function fromJson(text: string): unknown {
  return JSON.parse(text, (_, each: unknown) => {
    const isBig = typeof each === "object" && each !== null && "$bigint" in each;
    return isBig ? BigInt(String(each.$bigint)) : each;
  });
}

export const failed = { isError: true } as const;

/** The recorded part of a JSON-RPC response. */
export function describeResponse(response: unknown): unknown {
  if (typeof response !== "object" || response === null || "error" in response) return failed;
  return { result: "result" in response ? response.result : null };
}

/** The recorded part of an HTTP answer. */
export async function describeAnswer(answer: Response): Promise<unknown> {
  return { body: await answer.clone().text(), status: answer.status };
}

/** What a run needs of the running emulator. */
export type Stageable = {
  /** Waits until nothing more happens, and describes the state. */
  readonly settle: () => Promise<string>;
  /** Carries out an input and describes its answer. */
  readonly perform: (input: Input) => Promise<unknown>;
};

/** A run whose inputs come one after the other, each at a time of its own. */
export type Run = {
  readonly seed: string;
  /** Start of the clock in Unix milliseconds. */
  readonly startAt: number;
  /** Address that links begin with. @param apiUrl Address of this run's API. */
  siteUrl(apiUrl: string): string;
  /** Unix milliseconds. The time stands still until the next input. */
  now(): number;
  readonly pace: ChainPace;
  /** Runs an input after everything that came before it has settled. `describe` gives the recorded part of its answer. */
  admit<Answer>(
    input: Input,
    act: () => Promise<Answer>,
    describe: (answer: Answer) => unknown,
  ): Promise<Answer>;
  /** Begins with the running emulator. */
  begin(running: Stageable): Promise<void>;
  /** Ends the run after its last input. */
  close(): Promise<void>;
};
