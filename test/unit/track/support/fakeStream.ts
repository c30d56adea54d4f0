import { type CreateClientParameters, createClient } from "../../../../src/client/createClient.ts";
import type { Client } from "../../../../src/client/internal/Client.ts";
import type { WebSocketConstructor, WebSocketLike } from "../../../../src/track/connectStream.ts";
import { json } from "../../client/support/fakeService.ts";
import { requestId, statusAnswer } from "../../client/support/samples.ts";
import { VirtualClock } from "./VirtualClock.ts";

/** A socket whose other side is the test. */
export class FakeSocket implements WebSocketLike {
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  isClosed = false;
  readonly sent: string[] = [];
  readonly url: string;
  /** Called for each message of the client. */
  onSend: (text: string) => void = () => undefined;

  constructor(url: string) {
    this.url = url;
  }

  close(): void {
    this.isClosed = true;
  }

  send(text: string): void {
    this.sent.push(text);
    this.onSend(text);
  }

  /** Texts go as they are. */
  say(frame: unknown): void {
    this.onmessage?.({ data: typeof frame === "object" ? JSON.stringify(frame) : frame } as never);
  }

  end(): void {
    this.onclose?.({} as never);
  }
}

const ready = { data: { id: "a1" }, status: "ready", type: "connection" };
const event = "request.status.updated";
export const acknowledgement = {
  data: { event, filters: { id: requestId } },
  status: "success",
  type: "subscribe",
};

/** An event of the stream; without an id of its own, as the service sends it. */
export function update(status: string, more: Record<string, unknown> = {}) {
  return { data: { status, updatedAt: 1_700_000_000_000, ...more }, event };
}

/** A service with a status, and a stream whose sockets the test plays. */
export type FakeStream = {
  /** Answer of the status endpoint: a status, or any other value. */
  answer: () => Response | Promise<Response>;
  readonly client: Client;
  readonly clock: VirtualClock;
  /** When polls came, in milliseconds from the beginning. */
  readonly polls: number[];
  readonly sockets: FakeSocket[];
  readonly WebSocket: WebSocketConstructor;
  /** Changes the status from some time on. */
  become(afterMs: number, status: string, more?: Record<string, unknown>): void;
};

/** Makes a service with the status `waiting`, which runs a given script on each socket, by its index. */
export function fakeStream(
  play: (socket: FakeSocket, place: number, clock: VirtualClock) => void = playFriendly,
  parameters: Partial<CreateClientParameters> = {},
): FakeStream {
  const clock = new VirtualClock();
  const sockets: FakeSocket[] = [];
  const polls: number[] = [];
  const fake: FakeStream = {
    answer: () => json(statusAnswer("waiting")),
    become: (afterMs, status, more = {}) => {
      clock.after(afterMs, () => {
        fake.answer = () => json(statusAnswer(status, more));
      });
    },
    client: createClient({
      baseUrl: "https://service.test",
      fetch: async () => {
        polls.push(clock.elapsed);
        return fake.answer();
      },
      now: clock.now,
      random: () => 0.5,
      sleep: clock.sleep,
      ...parameters,
    }),
    clock,
    polls,
    sockets,
    WebSocket: class extends FakeSocket {
      constructor(url: string) {
        super(url);
        sockets.push(this);
        play(this, sockets.length - 1, clock);
      }
    },
  };
  return fake;
}

/** Ready after 10 ms, and takes the subscription. */
export function playFriendly(socket: FakeSocket, _place: number, clock: VirtualClock): void {
  clock.after(10, () => socket.say(ready));
  socket.onSend = () => {
    clock.after(10, () => socket.say(acknowledgement));
  };
}
