import * as z from "zod";
import { type ActivityBatch, positionPattern } from "../../../activity/followActivity.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

/** Time after which a quiet stream has an empty line, so that clients notice a dead connection. */
const quietMs = 15_000;

/** `GET /admin/activity`: what happens, as lines of JSON. */
export function activityRoutes({ activity, stopping }: Deps): readonly Route[] {
  return [
    defineRoute({
      endpoint: "GET /admin/activity",
      operationId: "followActivity",
      tag: "History",
      summary: "Quotes, deposits, fills, refunds, webhooks and faults, as they happen",
      description:
        'A line of JSON for each batch: `{ "after": position, "activities": [] }`, the first one at once. A client that continues with the last `after` misses nothing; of a position of another database, the stream begins at its own end. A quiet stream has an empty batch every 15 seconds.',
      query: z.object({ after: z.string().regex(positionPattern, "a position of this stream").optional() }),
      notes: { after: "Position after which to begin; the present end without it." },
      answers: { 200: { description: "The stream", mediaType: "application/x-ndjson" } },
      handle: async ({ http, query }) => {
        const closed = new AbortController();
        const signal = AbortSignal.any([closed.signal, http.req.raw.signal, stopping]);
        let after = await activity.begin(query.after);
        const body = new ReadableStream<Uint8Array>({
          cancel: () => closed.abort(),
          start: (controller) => send(controller, { activities: [], after }),
          pull: async (controller) => {
            const batch = await activity.next(after, { quietMs, signal });
            after = batch.after;
            if (signal.aborted) return controller.close();
            send(controller, batch);
          },
        });
        http.header("cache-control", "no-store");
        // The end of the stream ends the connection, so that no idle one delays a stop.
        http.header("connection", "close");
        return http.body(body, 200, { "content-type": "application/x-ndjson" });
      },
    }),
  ];
}

function send(controller: ReadableStreamDefaultController<Uint8Array>, batch: ActivityBatch): void {
  controller.enqueue(new TextEncoder().encode(`${JSON.stringify(batch)}\n`));
}
