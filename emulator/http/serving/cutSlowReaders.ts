import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Closes connections of clients that do not read their answers: unread bytes stay in memory, and Node waits for them without
 * limit. Occasional small reads do not extend the limit.
 *
 * Connections that wait for an answer, and websockets, are not affected.
 *
 * @param limitMs Maximum time with unread bytes, in milliseconds.
 * @param lookMs Interval of the checks, in milliseconds.
 * @param unreadBytes Maximum unread bytes of all connections together; beyond it, the longest waiting are closed first.
 */
export function cutSlowReaders(
  server: Server,
  {
    limitMs,
    lookMs,
    unreadBytes,
  }: { readonly limitMs: number; readonly lookMs: number; readonly unreadBytes: number },
): void {
  /** Start of each connection's unread period; `undefined` without unread bytes. */
  const unreadSince = new Map<Socket, number | undefined>();
  server.on("connection", (socket: Socket) => {
    unreadSince.set(socket, undefined);
    socket.once("close", () => unreadSince.delete(socket));
  });
  server.on("upgrade", (_, socket) => unreadSince.delete(socket as Socket));
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, since] of unreadSince) {
      if (socket.writableLength === 0) unreadSince.set(socket, undefined);
      else if (since === undefined) unreadSince.set(socket, now);
      else if (now - since >= limitMs) socket.destroy();
    }
    cutBeyond(unreadBytes, unreadSince);
  }, lookMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}

function cutBeyond(unreadBytes: number, unreadSince: ReadonlyMap<Socket, number | undefined>): void {
  const unread = [...unreadSince].filter(([socket]) => !socket.destroyed && socket.writableLength > 0);
  let total = unread.reduce((sum, [socket]) => sum + socket.writableLength, 0);
  if (total <= unreadBytes) return;
  for (const [socket] of unread.sort(([, one = 0], [, other = 0]) => one - other)) {
    if (total <= unreadBytes) return;
    total -= socket.writableLength;
    socket.destroy();
  }
}
