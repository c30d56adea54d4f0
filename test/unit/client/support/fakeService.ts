import { type CreateClientParameters, createClient } from "../../../../src/client/createClient.ts";
import type { Client } from "../../../../src/client/internal/Client.ts";

/** A call of the fake service. */
type SeenCall = {
  body: unknown;
  headers: Headers;
  method: string;
  pathname: string;
  query: Record<string, string>;
  url: string;
};

/** Reaction of the fake service to a call. */
export type Answer =
  | Response
  | Error
  | ((call: SeenCall, signal: AbortSignal) => Response | Promise<Response>);

/** A service that plays answers in order and repeats the last one, and a virtual clock. */
export type FakeService = {
  calls: SeenCall[];
  client: Client;
  /** Milliseconds slept so far, one entry a sleep. */
  sleeps: number[];
};

/** Time of the first call, in Unix milliseconds. */
export const fakeNow = 1_700_000_000_000;

/** Makes a client whose service plays `answers`, whose time is virtual and whose jitter is half. */
export function fakeService(
  answers: readonly Answer[],
  parameters: Partial<CreateClientParameters> = {},
): FakeService {
  const calls: SeenCall[] = [];
  const sleeps: number[] = [];
  let time = fakeNow;
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(url);
    const call: SeenCall = {
      body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
      headers: new Headers(init.headers),
      method: init.method ?? "GET",
      pathname,
      query: Object.fromEntries(searchParams),
      url,
    };
    calls.push(call);
    const answer = answers[Math.min(calls.length, answers.length) - 1];
    if (answer === undefined) throw new Error("the fake service has no answers");
    if (answer instanceof Error) throw answer;
    return answer instanceof Response ? answer.clone() : answer(call, init.signal as AbortSignal);
  };
  const client = createClient({
    baseUrl: "https://service.test",
    fetch,
    now: () => time,
    random: () => 0.5,
    sleep: async (ms) => {
      sleeps.push(ms);
      time += ms;
    },
    ...parameters,
  });
  return { calls, client, sleeps };
}

/** A JSON answer. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { headers, status });
}

/** A service that accepts a call and never answers it. */
export function silence(): Promise<Response> {
  return new Promise(() => undefined);
}

/** Returns the error of a rejected promise; throws if the promise resolves. */
export async function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("expected a rejection");
}
