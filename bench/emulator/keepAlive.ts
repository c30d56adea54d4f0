import { Agent, request } from "node:http";

/** Posts JSON over keep-alive connections, without the client library, to measure only the server. */
export type Post = (url: string, body: unknown) => Promise<unknown>;

/** Creates a poster with a maximum number of connections. */
export function keepAlive(connections: number): { readonly post: Post; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const post: Post = (url, body) =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body);
      const headers = { "content-length": Buffer.byteLength(text), "content-type": "application/json" };
      const sent = request(url, { agent, headers, method: "POST" }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const answer = Buffer.concat(parts).toString();
          if (response.statusCode === 200) resolve(JSON.parse(answer));
          else reject(new Error(`${url} answered ${response.statusCode}: ${answer}`));
        });
      });
      sent.on("error", (error: NodeJS.ErrnoException) => {
        // The server closed the idle connection just as it was reused.
        if (sent.reusedSocket && error.code === "ECONNRESET") post(url, body).then(resolve, reject);
        else reject(error);
      });
      sent.end(text);
    });
  return { close: () => agent.destroy(), post };
}
