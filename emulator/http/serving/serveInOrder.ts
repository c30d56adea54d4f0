import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Maximum waiting requests of one connection; one more closes it. */
const mostWaiting = 100;

type Connection = { isBusy: boolean; readonly waiting: ((isOpen: boolean) => void)[] };

/** Queue of the requests of a connection. */
type InOrder = {
  /**
   * Waits until the client has received the previous answers.
   *
   * @returns Whether the connection is still open.
   */
  turnOf(socket: Socket, answer: ServerResponse): Promise<boolean>;
};

/**
 * Serves the requests of a connection one at a time. Node passes on all pipelined requests at once and buffers their answers,
 * so a client that reads none would fill the memory.
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
