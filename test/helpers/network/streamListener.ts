import { once } from "node:events";
import { type ClientOptions, WebSocket } from "ws";

/** The one event of the stream. */
export const streamEvent = "request.status.updated";

/** A message of the stream. */
export type Frame = {
  type?: string;
  status?: string;
  event?: string;
  message?: string;
  errorCode?: string;
  data?: {
    id?: string;
    status?: string;
    event?: string;
    requestId?: string;
    filters?: object;
    updatedAt?: number;
  } & {
    [key in "inTxHashes" | "txHashes"]?: string[];
  };
};

/** A client of the stream that keeps every frame. */
export class StreamListener {
  readonly frames: Frame[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<number>;

  constructor(url: string, options: ClientOptions = {}) {
    this.socket = new WebSocket(url, options);
    this.socket.on("message", (data) => this.frames.push(JSON.parse(data.toString()) as Frame));
    this.closed = new Promise((resolve) => {
      this.socket.once("close", resolve);
    });
    // A cut connection is an error too; the tests look at how it closed.
    this.socket.on("error", () => {});
  }

  /** Strings are sent unchanged. */
  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Subscribes to a request, or ends that. */
  subscribe(id: string, type: "subscribe" | "unsubscribe" = "subscribe"): void {
    this.send({ event: streamEvent, filters: { id }, type });
  }

  /** Received statuses of a request. */
  statusesOf(requestId: string): (string | undefined)[] {
    return this.frames.filter(({ data }) => data?.requestId === requestId).map(({ data }) => data?.status);
  }

  /** Waits until a received frame matches. */
  async until(fits: (frame: Frame) => boolean): Promise<Frame> {
    const end = performance.now() + 10_000;
    for (;;) {
      const found = this.frames.find(fits);
      if (found !== undefined) return found;
      if (performance.now() > end) throw new Error(`it did not come: ${JSON.stringify(this.frames)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  untilStatus(requestId: string, status: string): Promise<Frame> {
    return this.until(({ data }) => data?.requestId === requestId && data.status === status);
  }
}

/** Connects, and waits until the stream is ready. */
export async function connectStream(url: string, options: ClientOptions = {}): Promise<StreamListener> {
  const listener = new StreamListener(url, options);
  await listener.until(({ type }) => type === "connection");
  return listener;
}

/** Returns a function that connects to a stream; every connection ends after its test. */
export function connectsOf(
  urlOf: () => string,
): (url?: string, options?: ClientOptions) => Promise<StreamListener> {
  const listeners: StreamListener[] = [];
  afterEach(() => {
    for (const { socket } of listeners.splice(0)) socket.terminate();
  });
  return async (url = urlOf(), options = {}) => {
    const listener = await connectStream(url, options);
    listeners.push(listener);
    return listener;
  };
}

/** The answer to a connection that is refused. */
export async function refusalOf(
  url: string,
  options: ClientOptions = {},
): Promise<{ status: number; body: unknown }> {
  const socket = new WebSocket(url, options);
  const [, answer] = (await once(socket, "unexpected-response")) as [
    unknown,
    NodeJS.ReadableStream & { statusCode: number },
  ];
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  return { body: JSON.parse(text), status: answer.statusCode };
}
