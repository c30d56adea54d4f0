import type { ServerResponse } from "node:http";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context as HonoContext } from "hono";

/** Listener of Node's HTTP server. */
export type Fetch = (request: Request, env: HttpBindings | Http2Bindings) => Response | Promise<Response>;

/** JSON bodies that wait to be written, by Node response. */
const texts = new WeakMap<object, string>();

/**
 * Answers with serialized JSON. Over a Node connection the body is written as text: a web stream would cost more than most of
 * the work on a quote.
 */
export function textAnswer(http: HonoContext, json: string): Response {
  const { outgoing } = (http.env ?? {}) as Partial<HttpBindings>;
  const headers = { "Content-Type": "application/json" };
  if (outgoing === undefined) return http.body(json, 200, headers);
  texts.set(outgoing, json);
  return http.body(null, 200, headers);
}

/** The text of an answer that is about to be sent. */
export async function answerText({ env, res }: HonoContext): Promise<string> {
  const { outgoing } = (env ?? {}) as Partial<HttpBindings>;
  return (outgoing && texts.get(outgoing)) ?? (await res.clone().text());
}

/** Wraps a listener so that it writes the bodies that {@link textAnswer} has set aside. */
export function writeAnswers(fetch: Fetch): Fetch {
  return async (request, env) => {
    const answer = await fetch(request, env);
    const text = texts.get(env.outgoing);
    // A later error replaced the response; its own body is sent.
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
