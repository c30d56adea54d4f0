import { InvalidParameterError } from "../errors/InvalidParameterError.ts";

/** Names and addresses of this machine. Docker gives a container's host the last name. */
const ownMachine = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\]|host\.docker\.internal)$/;

/**
 * Rejects a key for a URL without TLS: everyone on the way could read it. Only this machine needs no TLS.
 *
 * @param key Nothing is sent without one.
 * @throws InvalidParameterError for `http` or `ws` to another machine.
 */
export function assertKeyStaysPrivate(key: unknown, url: URL, parameter = "baseUrl"): void {
  const isEncrypted = url.protocol === "https:" || url.protocol === "wss:";
  if (key === undefined || isEncrypted || ownMachine.test(url.hostname)) return;
  const reason = `a key would cross the network in plain text to ${url.host}; use ${url.protocol.replace(":", "s")}`;
  throw new InvalidParameterError({ parameter, reason });
}
