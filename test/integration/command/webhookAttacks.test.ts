import { once } from "node:events";
import { request } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { signWebhook } from "../../../src/webhooks/index.ts";
import { startWebhookListener, type WebhookListener } from "../../helpers/processes/webhookListener.ts";

const key = "s3cret";
const env = { WAYBILL_API_KEY: key };
const id = `0x${"ab".repeat(32)}`;

type Line = {
  readonly dedupeKey?: string;
  readonly forwarded?: { readonly error?: string; readonly isLate?: boolean; readonly statusCode?: number };
  readonly reason?: string;
  readonly type: string;
};

/** A body as the service posts it. */
const bodyOf = (data: object = {}) =>
  JSON.stringify({
    data: { requestId: id, status: "success", updatedAt: 1, ...data },
    event: "request.status.updated",
    timestamp: 1,
  });

describe("waybill webhook listen under attack", function () {
  this.timeout(60_000);
  let target: Server;
  let targetUrl: string;
  /** What the target got: the bytes of each connection. */
  let got: string[] = [];
  let sockets: Socket[] = [];
  /** Answers a request that has arrived whole. */
  let respond: (socket: Socket) => void = () => undefined;
  let listener: WebhookListener;

  const answer = (status: string, rest = "content-length: 2\r\n\r\nok") => {
    respond = (socket) => socket.end(`HTTP/1.1 ${status}\r\n${rest}`, "latin1");
  };
  before(async () => {
    target = createServer((socket) => {
      const at = got.push("") - 1;
      sockets.push(socket);
      socket.on("error", () => undefined);
      socket.on("data", (chunk) => {
        got[at] += chunk.toString("latin1");
        const [, length] = /content-length: (\d+)\r\n/i.exec(got[at] ?? "") ?? [];
        const [head = "", ...rest] = (got[at] ?? "").split("\r\n\r\n");
        if (
          length !== undefined &&
          (got[at]?.length ?? 0) - head.length - 4 === Number(length) &&
          rest.length > 0
        )
          respond(socket);
      });
    });
    target.listen(0, "127.0.0.1");
    await once(target, "listening");
    const address = target.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    targetUrl = `http://user:p%40ss@127.0.0.1:${address.port}/hooks?token=abc`;
    listener = await startWebhookListener(["--no-register", "--json", "--forward-to", targetUrl], { env });
  });
  beforeEach(() => {
    got = [];
    answer("200 OK");
  });
  after(async () => {
    await listener.stop();
    for (const socket of sockets) socket.destroy();
    sockets = [];
    target.close();
  });

  /** Lines of the listener after the first one. */
  const linesOf = ({ out }: WebhookListener): readonly Line[] =>
    out()
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => JSON.parse(line) as Line);
  const last = () => linesOf(listener).at(-1);
  const signed = (body: string, timestamp = Math.floor(Date.now() / 1_000), secret = key) =>
    signWebhook(body, { secret, timestamp });
  async function post(
    body: string,
    headers?: Readonly<Record<string, string>>,
    { url } = listener,
  ): Promise<number> {
    const sent = { body, headers: headers ?? (await signed(body)), method: "POST" };
    const { status } = await fetch(url, sent);
    return status;
  }
  /** Writes bytes to the listener's port, and returns what it answers until the connection closes. */
  async function write(text: string): Promise<string> {
    const { hostname, port } = new URL(listener.url);
    const socket = connect(Number(port), hostname);
    let answered = "";
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      answered += chunk.toString("latin1");
    });
    socket.write(text, "latin1");
    await once(socket, "close");
    return answered;
  }
  const path = () => new URL(listener.url).pathname;

  it("a changed body, signature, timestamp or key: is answered with 401, printed as refused and not forwarded", async () => {
    const body = bodyOf();
    const headers = await signed(body);
    const forged: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      [bodyOf({ status: "refund" }), headers],
      [` ${body}`, headers],
      [body, { ...headers, "x-signature-timestamp": String(Number(headers["x-signature-timestamp"]) + 1) }],
      [body, { ...headers, "x-signature-timestamp": `${headers["x-signature-timestamp"]}.0` }],
      [body, { ...headers, "x-signature-sha256": "00".repeat(32) }],
      [body, { ...headers, "x-signature-sha256": `${headers["x-signature-sha256"]}00` }],
      [body, { ...headers, "x-signature-sha256": "zz".repeat(32) }],
      [body, { "x-signature-sha256": headers["x-signature-sha256"] }],
      [body, await signed(body, undefined, "other")],
      ["{}", await signed("{}")],
      ["\u0000", await signed("\u0000")],
    ];
    const before = linesOf(listener).length;
    for (const [text, given] of forged) expect(await post(text, given)).to.equal(401);
    expect(got).to.deep.equal([]);
    const lines = linesOf(listener).slice(before);
    expect(lines.map(({ type }) => type)).to.deep.equal(forged.map(() => "refused"));
    expect(new Set(lines.map(({ reason }) => reason))).to.deep.equal(
      new Set(["no_match", "bad_timestamp", "bad_hex", "missing_header", "bad_body"]),
    );
  });

  it("two signatures in one request: none of them counts", async () => {
    const body = bodyOf();
    const headers = await signed(body);
    const text = [
      `POST ${path()} HTTP/1.1`,
      "host: x",
      "connection: close",
      `content-length: ${body.length}`,
      `x-signature-timestamp: ${headers["x-signature-timestamp"]}`,
      `x-signature-sha256: ${headers["x-signature-sha256"]}`,
      `x-signature-sha256: ${"00".repeat(32)}`,
      "",
      body,
    ].join("\r\n");
    expect(await write(text)).to.match(/^HTTP\/1\.1 401 /);
    expect(got).to.deep.equal([]);
  });

  it("a chunked body with odd headers: the target gets its bytes and headers, without those between neighbours", async () => {
    const body = bodyOf({ details: "ümlaut \u2028 \ud83d\ude00" }).replace(",", " ,\r\n\t");
    const bytes = Buffer.from(body).toString("latin1");
    const headers = await signed(body);
    const half = Math.floor(bytes.length / 2);
    const text = [
      `POST ${path()} HTTP/1.1`,
      "Host: evil.example",
      "Connection: close",
      "Transfer-Encoding: chunked",
      "X-Twice: one",
      "X-tWice: two",
      "X-Latin: caf\u00e9",
      "X-Empty: ",
      `X-Signature-Timestamp: ${headers["x-signature-timestamp"]}`,
      `X-Signature-SHA256: ${headers["x-signature-sha256"]}`,
      "",
      `${half.toString(16)}\r\n${bytes.slice(0, half)}`,
      `${(bytes.length - half).toString(16)}\r\n${bytes.slice(half)}`,
      "0",
      "",
      "",
    ].join("\r\n");
    expect(await write(text)).to.match(/^HTTP\/1\.1 200 /);
    const [head = "", ...rest] = (got[0] ?? "").split("\r\n\r\n");
    expect(rest.join("\r\n\r\n")).to.equal(bytes);
    const [first, ...lines] = head.split("\r\n");
    expect(first).to.equal("POST /hooks?token=abc HTTP/1.1");
    expect(lines).to.include.members(["X-Twice: one", "X-tWice: two", "X-Latin: caf\u00e9", "X-Empty: "]);
    expect(lines.filter((line) => /^(host|transfer-encoding|content-length):/i.test(line))).to.deep.equal([
      `host: ${new URL(targetUrl).host}`,
      `content-length: ${bytes.length}`,
    ]);
    expect(lines).to.include(`authorization: Basic ${Buffer.from("user:p@ss").toString("base64")}`);
  });

  it("credentials of the target: are in none of the lines", () => {
    expect(listener.out()).to.not.match(/p%40ss|p@ss|token=abc/);
  });

  it("a webhook twice, and one of an hour ago: both are forwarded, with one dedupeKey and the age", async () => {
    const body = bodyOf();
    const headers = await signed(body);
    expect([await post(body, headers), await post(body, headers)]).to.deep.equal([200, 200]);
    const [first, second] = linesOf(listener).slice(-2);
    expect(first?.dedupeKey).to.equal(second?.dedupeKey).and.match(/\w/);
    await post(body, await signed(body, Math.floor(Date.now() / 1_000) - 3_600));
    expect(last()).to.have.property("ageSeconds").within(3_600, 3_605);
    expect(got).to.have.length(3);
  });

  it("a body above one mebibyte, one that never ends, and 600 idle connections: a webhook arrives nevertheless", async () => {
    const giant = "x".repeat(1_100_000);
    const refused = await fetch(listener.url, { body: giant, method: "POST" }).catch(() => undefined);
    // The listener may close the connection before all bytes are written.
    expect(refused?.status ?? 413).to.equal(413);
    expect(last()).to.deep.equal({ reason: "too_long", type: "refused" });
    const { hostname, port } = new URL(listener.url);
    const slow = request(listener.url, { headers: { "content-length": 100 }, method: "POST" });
    slow.on("error", () => undefined);
    slow.write("x");
    const idle = Array.from({ length: 600 }, () =>
      connect(Number(port), hostname).on("error", () => undefined),
    );
    await setTimeout(500);
    let status = 0;
    for (const end = Date.now() + 15_000; status !== 200 && Date.now() < end; await setTimeout(200))
      status = await post(bodyOf()).catch(() => 0);
    for (const socket of idle) socket.destroy();
    slow.destroy();
    expect(status).to.equal(200);
  });

  const answers: readonly (readonly [
    name: string,
    status: string,
    rest: string,
    expected: object,
    got: number,
  ])[] = [
    [
      "a redirect",
      "307 Moved",
      "location: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
      { statusCode: 307 },
      307,
    ],
    [
      "escapes in its status text",
      "200 \u001b[2J\u009b2J",
      "x: \u001b[2J\r\ncontent-length: 0\r\n\r\n",
      {},
      0,
    ],
    [
      "another protocol",
      "101 Switching",
      "upgrade: x\r\nconnection: upgrade\r\n\r\n",
      { error: "it switched protocols" },
      502,
    ],
    ["a status of 999", "999 Odd", "content-length: 0\r\n\r\n", { statusCode: 999 }, 999],
    [
      "a body without end",
      "200 OK",
      `\r\n${"x".repeat(1_100_000)}`,
      { error: "its body is above one mebibyte" },
      502,
    ],
    ["two lengths", "200 OK", "content-length: 1\r\ncontent-length: 2\r\n\r\nok", {}, 502],
    ["204 with a body", "204 No", "content-type: a/b\r\n\r\n", { statusCode: 204 }, 204],
  ];
  for (const [name, status, rest, expected, code] of answers) {
    it(`a target that answers with ${name}: is reported in one line, and the service gets a status`, async () => {
      answer(status, rest);
      const before = linesOf(listener).length;
      const body = bodyOf();
      const sent = { body, headers: await signed(body), method: "POST", redirect: "manual" } as const;
      const answered = await fetch(listener.url, sent);
      if (code !== 0) expect(answered.status).to.equal(code);
      expect(linesOf(listener)).to.have.length(before + 1);
      expect(last()?.forwarded).to.include(expected);
      expect(listener.out()).to.not.match(/(?!\n)\p{Cc}/u);
    });
  }

  it("a target that resets the connection, and one that answers no HTTP: 502, and the next webhook arrives", async () => {
    respond = (socket) => socket.resetAndDestroy();
    expect(await post(bodyOf())).to.equal(502);
    respond = (socket) => socket.end("SSH-2.0-OpenSSH\r\n");
    expect(await post(bodyOf())).to.equal(502);
    answer("200 OK");
    expect(await post(bodyOf())).to.equal(200);
  });

  it("a service that gives up before the target answers: the line says so", async () => {
    const asked = Promise.withResolvers<Socket>();
    respond = asked.resolve;
    const body = bodyOf();
    const sent = request(listener.url, { headers: { ...(await signed(body)) }, method: "POST" });
    sent.on("error", () => undefined);
    sent.end(body);
    const socket = await asked.promise;
    sent.destroy();
    await setTimeout(100);
    const before = linesOf(listener).length;
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    while (linesOf(listener).length === before) await setTimeout(20);
    expect(last()?.forwarded).to.include({ isLate: true, statusCode: 200 });
  });

  it("text of a signed webhook with lines, colours and controls: stays in its line, in text and in JSON", async () => {
    const hostile = "x\nrefused  \u001b[31ma\u001b[0m \u009b2J\u202e";
    const body = bodyOf({ failReason: hostile, requestId: `${hostile}${id}`, status: hostile });
    const text = await startWebhookListener(["--no-register"], { env });
    expect(await post(body, undefined, text)).to.equal(200);
    expect(await post(body)).to.equal(200);
    const { out } = await text.stop();
    expect(out.trim().split("\n")).to.have.length(2);
    for (const printed of [out, listener.out()])
      expect(printed).to.not.match(/(?!\n)\p{Cc}|\p{Bidi_Control}/u);
    expect(last()).to.have.nested.property("event.data.failReason", hostile);
  });

  it("Ctrl-C with a webhook in flight: the service gets the target's answer; a target without one is given up", async () => {
    const asked = Promise.withResolvers<Socket>();
    respond = asked.resolve;
    const args = ["--no-register", "--forward-to", targetUrl];
    const first = await startWebhookListener(args, { env });
    const answered = post(bodyOf(), undefined, first);
    const socket = await asked.promise;
    const ended = first.stop();
    await setTimeout(300);
    socket.end("HTTP/1.1 201 Made\r\ncontent-length: 0\r\n\r\n");
    expect(await answered).to.equal(201);
    expect((await ended).out).to.include("→ 201 in ");
    respond = () => undefined;
    const second = await startWebhookListener(args, { env });
    const unanswered = post(bodyOf(), undefined, second);
    while (got.length < 2) await setTimeout(20);
    const { code, out } = await second.stop();
    expect(code).to.equal(0);
    expect(await unanswered).to.equal(502);
    expect(out).to.include("→ no answer: the listener ended");
  });

  it("a port that is taken: exit code 1, and the other listener goes on", async () => {
    const { port } = new URL(listener.url);
    const failure = await startWebhookListener(["--no-register", "--port", port], { env }).then(
      () => "it listens",
      (error: Error) => error.message,
    );
    expect(failure).to.include(
      `ended with 1: error: Port ${port} cannot be opened: another program uses it.`,
    );
    expect(await post(bodyOf())).to.equal(200);
  });
});
