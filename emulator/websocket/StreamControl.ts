/** Controls the websocket stream from tests. Its file imports no socket, so users of the package need no `@types/ws`. */
export type StreamControl = {
  /**
   * Closes all open sockets in waves with code 1012, as a restart of the service does. Clients may reconnect immediately.
   *
   * @returns The number of sockets closed, once all are closed.
   */
  restart(): Promise<{ readonly closed: number }>;
};
