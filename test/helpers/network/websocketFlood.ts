import { once } from "node:events";
import { createConnection, type Socket } from "node:net";

const handshake =
  "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
const text = 0x81;
const ping = 0x89;

/** A frame as clients send it, with a mask of zeros: its bytes can be read. */
function frame(opcode: number, payload: string): Buffer {
  const body = Buffer.from(payload);
  const size = body.length < 126 ? [0x80 | body.length] : [0x80 | 126, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([opcode, ...size, 0, 0, 0, 0]), body]);
}

function subscription(index: number): string {
  const id = `0x${index.toString(16).padStart(64, "0")}`;
  return JSON.stringify({ event: "request.status.updated", filters: { id }, type: "subscribe" });
}

/** Content of a flood: frames that one socket sends as fast as possible. */
export const floods = {
  pings: (count: number) => Buffer.concat(Array.from({ length: count }, () => frame(ping, ""))),
  refused: (count: number) => Buffer.concat(Array.from({ length: count }, () => frame(text, "x"))),
  subscribes: (count: number) =>
    Buffer.concat(Array.from({ length: count }, (_, index) => frame(text, subscription(index)))),
};

/** Opens websockets without a library, which send the same bytes; answers are read and dropped. */
export async function flood(apiUrl: string, sockets: number, bytes: Buffer): Promise<{ stop(): void }> {
  const port = Number(new URL(apiUrl).port);
  const open: Socket[] = [];
  for (let count = 0; count < sockets; count++) {
    const socket = createConnection(port, "127.0.0.1");
    // The flood expects disconnection.
    socket.on("error", () => undefined);
    open.push(socket);
    socket.write(handshake);
    await once(socket, "data");
    socket.resume();
  }
  for (const socket of open) socket.write(bytes);
  return {
    stop: () => {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Repeats an HTTP request; returns the answers' times in milliseconds, ascending. */
export async function probe(url: string, durationMs: number): Promise<readonly number[]> {
  const times: number[] = [];
  const end = performance.now() + durationMs;
  while (performance.now() < end) {
    const begin = performance.now();
    const answer = await fetch(url);
    await answer.arrayBuffer();
    if (answer.status >= 500) throw new Error(`${url} answered ${answer.status}`);
    times.push(performance.now() - begin);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return times.sort((one, other) => one - other);
}
