/** What tests may do to the websocket stream. Without the sockets themselves, whose types users need not install. */
export type StreamControl = {
  /**
   * Closes all sockets that are open now, in waves and with code 1012, as the service does when it is restarted. Clients
   * connect again at once.
   *
   * @returns Once all are closed, how many there were.
   */
  restart(): Promise<{ readonly closed: number }>;
};
