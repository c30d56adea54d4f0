import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Ends connections that do not take their answers: what is written to them and not read stays in this process's memory,
 * and Node waits for it for ever. Reading a little now and then does not save them.
 *
 * A connection that waits for an answer which is not there yet is left alone, and so is one that became a websocket.
 *
 * @param limitMs How long a connection may have something unread, in milliseconds.
 * @param lookMs How often it is looked for.
 * @param unreadBytes What all connections together may have unread; beyond it, those that wait longest are ended first.
 */
export function cutSlowReaders(
  server: Server,
  {
    limitMs,
    lookMs,
    unreadBytes,
  }: { readonly limitMs: number; readonly lookMs: number; readonly unreadBytes: number },
): void {
  /** Since when each connection has had something unread; `undefined` when it has nothing. */
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
