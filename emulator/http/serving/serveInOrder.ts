import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection that wait for the answers before theirs; one more ends it. */
const mostWaiting = 100;

type Connection = { isBusy: boolean; readonly waiting: ((isOpen: boolean) => void)[] };

/** Where requests of a connection wait. */
export type InOrder = {
  /**
   * Waits until the answers before this one were taken by the client's side.
   *
   * @returns Whether the connection is still there.
   */
  turnOf(socket: Socket, answer: ServerResponse): Promise<boolean>;
};

/**
 * Serves the requests of a connection one after the other. Node hands over all that a client has pipelined at once, and
 * keeps their answers: a client that reads none of them would fill the memory.
 */
export function serveInOrder(): InOrder {
  const connections = new WeakMap<Socket, Connection>();
  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { isBusy: false, waiting: [] };
    connections.set(socket, connection);
    socket.once("close", () => {
      for (const resolve of connection.waiting.splice(0)) resolve(false);
    });
    return connection;
  };
  return {
    turnOf: async (socket, answer) => {
      const connection = connectionOf(socket);
      answer.once("close", () => {
        const next = connection.waiting.shift();
        if (next === undefined) connection.isBusy = false;
        else next(true);
      });
      if (!connection.isBusy) {
        connection.isBusy = true;
        return true;
      }
      if (connection.waiting.length >= mostWaiting) socket.destroy();
      if (socket.destroyed) return false;
      return new Promise<boolean>((resolve) => connection.waiting.push(resolve));
    },
  };
}
