import { expect } from "chai";
import type { Hex } from "viem";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { StreamListener } from "../network/streamListener.ts";
import type { Draws } from "../seededDraws.ts";
import { type RequestState, withoutRepeats } from "./checks.ts";

/** A client of the stream that outlives the replicas. */
export type StreamFollower = {
  follow(requestId: Hex): void;
  /**
   * Waits until the stream has sent the last status of each request, and compares every connection with the log of events: a
   * connection leaves out no status between the first one that it sends and its last one.
   *
   * @returns Number of connections.
   */
  check(requests: ReadonlyMap<Hex, RequestState>): Promise<number>;
  stop(): void;
};

const reconnectMs = 100;
const settleMs = 30_000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Follows requests on the stream of one replica, and on another one's when the connection ends. */
export function followStream(infos: readonly EmulatorInfo[], draws: Draws): StreamFollower {
  const followed = new Set<Hex>();
  const connections: StreamListener[] = [];
  let isStopped = false;
  const isFinished = (id: Hex) =>
    connections.some((each) => ["success", "refund"].includes(each.statusesOf(id).at(-1) ?? ""));
  const connect = () => {
    const listener = new StreamListener(draws.pick(infos).wsUrl);
    connections.push(listener);
    listener.socket.once("open", () => {
      // A socket has a limited number of subscriptions.
      for (const id of followed) if (!isFinished(id)) listener.subscribe(id);
    });
    listener.closed.then(async () => {
      await pause(reconnectMs);
      if (!isStopped) connect();
    });
  };
  connect();
  const isOver = (requestId: Hex, { status }: RequestState) =>
    connections.some((connection) => connection.statusesOf(requestId).at(-1) === status);
  return {
    check: async (requests) => {
      const end = performance.now() + settleMs;
      for (const id of followed) {
        const state = requests.get(id);
        if (state === undefined) throw new Error(`${id} is followed, and was not paid`);
        while (!isOver(id, state)) {
          if (performance.now() > end) throw new Error(`the stream never sent ${state.status} of ${id}`);
          await pause(20);
        }
        const events = withoutRepeats(state.events.map(({ status }) => status));
        for (const connection of connections) {
          const sent = connection.statusesOf(id) as string[];
          const starts = events.map((_, index) => events.slice(index, index + sent.length).join());
          expect(starts, `${id} of ${events}`).to.include(sent.join());
        }
      }
      return connections.filter(({ frames }) => frames.length > 0).length;
    },
    follow: (requestId) => {
      followed.add(requestId);
      const { socket } = connections.at(-1) ?? {};
      if (socket?.readyState === socket?.OPEN) connections.at(-1)?.subscribe(requestId);
    },
    stop: () => {
      isStopped = true;
      for (const { socket } of connections) socket.terminate();
    },
  };
}
