import type { ServerResponse } from "node:http";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context as HonoContext } from "hono";

/** Answers requests of Node's server. */
export type Fetch = (request: Request, env: HttpBindings | Http2Bindings) => Response | Promise<Response>;

/** Bodies that are to be written, by where to. */
const texts = new WeakMap<object, string>();

/** An answer in JSON. */
export function jsonAnswer(http: HonoContext, value: unknown): Response {
  return textAnswer(http, JSON.stringify(value));
}

/**
 * An answer that is written in JSON already. Where it goes out over one of Node's connections it is written there as text:
 * the web stream around it would cost more than most of what is done with a quote.
 */
export function textAnswer(http: HonoContext, json: string): Response {
  const { outgoing } = (http.env ?? {}) as Partial<HttpBindings>;
  const headers = { "Content-Type": "application/json" };
  if (outgoing === undefined) return http.body(json, 200, headers);
  texts.set(outgoing, json);
  return http.body(null, 200, headers);
}

/** Writes the bodies that {@link textAnswer} has put aside. */
export function writeAnswers(fetch: Fetch): Fetch {
  return async (request, env) => {
    const answer = await fetch(request, env);
    const text = texts.get(env.outgoing);
    // What went wrong after the answer was made has a body of its own.
    if (text === undefined || answer.body !== null) return answer;
    const outgoing = env.outgoing as ServerResponse;
    outgoing.writeHead(answer.status, {
      ...Object.fromEntries(answer.headers),
      "content-length": Buffer.byteLength(text),
    });
    outgoing.end(text);
    return RESPONSE_ALREADY_SENT;
  };
}
