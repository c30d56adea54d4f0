import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerOptions } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect } from "chai";
import {
  nodeWebhook,
  type WebhookHandlerParameters,
  WebhookInvalidError,
} from "../../../../src/webhooks/index.ts";
import { eventBody, handled, headersOf, stage } from "../support/delivery.ts";

const body = eventBody();
const part = Buffer.alloc(65_536, "x");
const chunk = Buffer.concat([Buffer.from("10000\r\n"), part, Buffer.from("\r\n")]);

/** The head of a request, as bytes. */
function head(more: Record<string, string | number>, method = "POST"): string {
  const lines = Object.entries({ host: "shop.test", ...more }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} /webhook HTTP/1.1\r\n${lines.join("")}\r\n`;
}

const signed = (key?: string) =>
  head({ ...headersOf(body, key === undefined ? {} : { key }), "content-length": Buffer.byteLength(body) });

/** All that a connection receives until it is closed. */
async function received(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on("data", (data) => parts.push(data)).on("error", () => undefined);
  // `once` would reject with a reset of the connection.
  await new Promise((resolve) => socket.once("close", resolve));
  return String(Buffer.concat(parts));
}

describe("nodeWebhook", () => {
  const open: (() => Promise<unknown>)[] = [];
  afterEach(() => Promise.all(open.splice(0).map((close) => close())));

  /** A server of the adapter, and what became of its requests. */
  async function serve(parameters: WebhookHandlerParameters, options: ServerOptions = {}) {
    const listener = nodeWebhook(parameters);
    const ended: Promise<void>[] = [];
    const requests: IncomingMessage[] = [];
    const sockets: Socket[] = [];
    const server = createServer(options, (request, response) => {
      requests.push(request);
      sockets.push(request.socket);
      ended.push(listener(request, response));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    open.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const { port } = server.address() as AddressInfo;
    const dial = () => connect(port, "127.0.0.1");
    return { dial, ended, requests, server, sockets };
  }

  it("an endless chunked body: answers 413, stops reading, and closes the connection", async () => {
    const { errors, events, parameters } = stage();
    const { dial, sockets } = await serve(parameters);
    const socket = dial();
    const answer = received(socket);
    socket.write(head({ ...headersOf(body), "transfer-encoding": "chunked" }));
    const flood = () => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on("drain", flood);
    flood();
    await answer;
    expect(errors).to.have.length(1);
    expect(errors[0]).to.be.instanceOf(WebhookInvalidError).with.property("reason", "too_long");
    expect(sockets[0]?.bytesRead).to.be.within(1_048_577, 1_048_577 + 4 * part.length);
    expect(events).to.deep.equal([]);
  });

  it("a body of one byte above the limit: answers 413 before its end, and closes the connection", async () => {
    const { parameters } = stage();
    const { dial } = await serve(parameters);
    const socket = dial();
    const answer = received(socket);
    socket.write(head({ ...headersOf(body), "transfer-encoding": "chunked" }));
    for (let count = 0; count < 16; count++) socket.write(chunk);
    socket.write("1\r\nx\r\n");
    const text = await answer;
    expect(text).to.match(/^HTTP\/1.1 413 /);
    expect(text)
      .to.match(/connection: close/i)
      .and.to.include('"reason":"too_long"');
  });

  it("a body of another key: answers 401, and the connection serves the next event", async () => {
    const { events, parameters } = stage();
    const { dial } = await serve(parameters);
    const socket = dial();
    const answer = received(socket);
    socket.write(signed("guessed") + body);
    await once(socket, "data");
    expect(events).to.deep.equal([]);
    socket.write(signed() + body);
    await once(socket, "data");
    socket.end();
    expect((await answer).match(/HTTP\/1.1 \d+/g)).to.deep.equal(["HTTP/1.1 401", "HTTP/1.1 200"]);
    expect(events).to.deep.equal([handled]);
  });

  it("a slow body: ends at the server's requestTimeout, and is not handled", async () => {
    const { errors, events, parameters } = stage();
    const { dial, ended } = await serve(parameters, { connectionsCheckingInterval: 20, requestTimeout: 100 });
    const socket = dial();
    const answer = received(socket);
    socket.write(signed());
    let sent = 0;
    const trickle = setInterval(() => socket.writable && socket.write(body.charAt(sent++)), 10);
    expect(await answer).to.match(/^HTTP\/1.1 408 /);
    clearInterval(trickle);
    await Promise.all(ended);
    expect(sent).to.be.lessThan(body.length);
    expect([errors.length, ended.length, events]).to.deep.equal([1, 1, []]);
  });

  it("a connection closed in the middle of the body: reports it, and handles nothing", async () => {
    const { errors, events, parameters } = stage();
    const { dial, ended, requests, server } = await serve(parameters);
    const socket = dial();
    socket.write(signed() + body.slice(0, 20));
    await once(server, "request");
    const [request] = requests;
    socket.destroy();
    await Promise.all(ended);
    expect([request?.complete, ended.length, events]).to.deep.equal([false, 1, []]);
    expect(errors.map(String)).to.deep.equal(["Error: aborted"]);
  });

  it("a connection closed while the event is handled: the handling ends, and the server goes on", async () => {
    let finish: () => void = expect.fail;
    const { errors, events, parameters } = stage();
    const { dial, ended, server, sockets } = await serve({
      ...parameters,
      onEvent: async (event, delivery) => {
        await new Promise<void>((resolve) => {
          finish = resolve;
          server.emit("handling");
        });
        await parameters.onEvent(event, delivery);
      },
    });
    const socket = dial();
    socket.write(signed() + body);
    await once(server, "handling");
    const closed = once(sockets[0] ?? expect.fail(), "close");
    socket.destroy();
    await closed;
    finish();
    await Promise.all(ended);
    expect([ended.length, errors, events]).to.deep.equal([1, [], [handled]]);
  });

  it("a GET, and a PUT whose body is still to come: answers 405 and closes the connection", async () => {
    const { errors, events, parameters } = stage();
    const { dial } = await serve(parameters);
    for (const [method, length] of [
      ["GET", 0],
      ["PUT", 1_000_000],
    ] as const) {
      const socket = dial();
      const answer = received(socket);
      socket.write(head({ "content-length": length }, method));
      expect(await answer).to.match(/^HTTP\/1.1 405 [\s\S]*allow: POST/);
    }
    expect([errors, events]).to.deep.equal([[], []]);
  });

  it("invalid secrets: answers 500 and reports the parameter, without a rejection", async () => {
    const { errors, parameters } = stage({ secrets: [] });
    const { dial, ended } = await serve(parameters);
    const socket = dial();
    const answer = received(socket);
    socket.write(signed() + body);
    await once(socket, "data");
    socket.end();
    expect(await answer).to.match(/^HTTP\/1.1 500 [\s\S]*{"message":"Not handled"}/);
    await Promise.all(ended);
    expect(errors[0]).to.have.property("parameter", "secrets");
  });
});
