import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import axios from "axios";
import { expect } from "chai";
import {
  createQuoteGuard,
  type QuoteGuard,
  type RequestScope,
  watchAxios,
  watchRequests,
  type XhrLike,
} from "../../../src/guard/index.ts";
import { now, policy, type Sample, tokenSample } from "./support/quotes.ts";

/** An `XMLHttpRequest` of a page, over `fetch`. */
class PageXhr extends EventTarget {
  readyState = 0;
  response: unknown = "";
  responseType = "";
  status = 0;
  #target = { method: "", url: "" };
  open(method: string, url: string | URL): void {
    this.#target = { method, url: String(url) };
  }
  send(body?: unknown): void {
    const { method, url } = this.#target;
    void fetch(url, { body: body as string, method }).then(async (answer) => {
      this.response = this.responseType === "json" ? await answer.json() : await answer.text();
      Object.assign(this, { readyState: 4, status: answer.status });
      this.dispatchEvent(new Event("readystatechange"));
    });
  }
}

describe("what a guard learns from a page's requests", () => {
  let sample: Sample;
  let url: string;
  let status = 200;
  const bodies: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      bodies.push(text.startsWith("{") ? JSON.parse(text) : { text });
      const quote = status === 200 ? sample.quote : { message: "no" };
      const answer = request.url?.startsWith("/execute") ? { steps: sample.quote.steps } : quote;
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  before(async () => {
    sample = await tokenSample();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());
  beforeEach(() => {
    bodies.splice(0);
    status = 200;
  });

  const start = () => createQuoteGuard({ now: () => now, policy });
  const learnedBy = async ({ internal }: QuoteGuard) => {
    await Promise.all(internal.book.quotes.map(({ ready }) => ready));
    return internal.book.quotes.map(({ appended, refusal }) => ({
      appended: appended.length,
      reason: refusal?.reason,
    }));
  };
  const proven = [{ appended: 0, reason: undefined }];

  async function postByXhr(
    prototype: typeof PageXhr,
    path: string,
    body: unknown,
    responseType = "",
  ): Promise<void> {
    const xhr = new prototype();
    xhr.responseType = responseType;
    const ended = new Promise((resolve) => xhr.addEventListener("readystatechange", resolve));
    xhr.open("POST", `${url}${path}`);
    xhr.send(JSON.stringify(body));
    await ended;
  }

  it("axios: asks for the order's signature, learns the quote before the page has it, and leaves other requests alone", async () => {
    const guard = start();
    const instance = axios.create();
    const stop = watchAxios(instance, guard);
    const { data } = await instance.post(`${url}/quote/v2?source=test`, sample.request);
    expect(guard.internal.book.quotes).to.have.length(1);
    expect(data).to.deep.equal(sample.quote);
    await instance.request({ data: JSON.stringify(sample.request), method: "post", url: `${url}/quote` });
    await instance.post(`${url}/price`, sample.request);
    await instance.get(`${url}/quote/v2`);
    await instance.post(`${url}/quote`, { pair: "of another API" });
    expect(bodies).to.deep.equal([
      { ...sample.request, includeProtocolData: true },
      { ...sample.request, includeProtocolData: true },
      sample.request,
      { text: "" },
      { pair: "of another API" },
    ]);
    expect(await learnedBy(guard)).to.deep.equal([...proven, ...proven]);
    status = 400;
    await instance.post(`${url}/quote/v2`, sample.request).catch(() => {});
    stop();
    status = 200;
    await instance.post(`${url}/quote/v2`, sample.request);
    expect(await learnedBy(guard)).to.have.length(2);
    expect(bodies.at(-1)).to.deep.equal(sample.request);
  });

  it("fetch: the same, of an address or a Request", async () => {
    const guard = start();
    const scope: RequestScope = { fetch };
    const stop = watchRequests(guard, scope);
    const body = JSON.stringify(sample.request);
    const answer = await scope.fetch?.(`${url}/quote/v2`, { body, method: "POST" });
    expect(await answer?.json()).to.deep.equal(sample.quote);
    await scope.fetch?.(new Request(`${url}/quote/v2`, { body, method: "POST" }));
    await scope.fetch?.(new URL(`${url}/chains`));
    await scope.fetch?.(`${url}/quote/v2`, { body: "no JSON", method: "POST" });
    expect(bodies.slice(0, 2).map(({ includeProtocolData }) => includeProtocolData)).to.deep.equal([
      true,
      true,
    ]);
    expect(await learnedBy(guard)).to.deep.equal([...proven, ...proven]);
    stop();
    expect(scope.fetch).to.equal(fetch);
  });

  it("XMLHttpRequest: the same, of text or JSON", async () => {
    const guard = start();
    const scope = { XMLHttpRequest: PageXhr as unknown as { prototype: XhrLike } };
    const stop = watchRequests(guard, scope);
    await postByXhr(PageXhr, "/quote/v2", sample.request);
    await postByXhr(PageXhr, "/quote/v2", sample.request, "json");
    await postByXhr(PageXhr, "/price", sample.request);
    expect(bodies.map(({ includeProtocolData }) => includeProtocolData)).to.deep.equal([
      true,
      true,
      undefined,
    ]);
    expect(await learnedBy(guard)).to.deep.equal([...proven, ...proven]);
    status = 500;
    await postByXhr(PageXhr, "/quote/v2", sample.request);
    stop();
    expect(await learnedBy(guard)).to.have.length(2);
  });

  it("fetch with a body of bytes or a Blob: the quote is learned", async () => {
    const guard = start();
    const scope: RequestScope = { fetch };
    watchRequests(guard, scope);
    const text = JSON.stringify(sample.request);
    for (const body of [new TextEncoder().encode(text), new Blob([text])])
      await scope.fetch?.(`${url}/quote/v2`, { body, method: "POST" });
    expect(await learnedBy(guard)).to.deep.equal([...proven, ...proven]);
  });

  it("an XMLHttpRequest that is opened again: its answer is proven against the second request alone", async () => {
    const guard = start();
    class Reused extends PageXhr {
      override send(): void {}
      answer(): void {
        Object.assign(this, { readyState: 4, response: JSON.stringify(sample.quote), status: 200 });
        this.dispatchEvent(new Event("readystatechange"));
      }
    }
    watchRequests(guard, { XMLHttpRequest: Reused as unknown as { prototype: XhrLike } });
    const xhr: Reused & { send(body?: unknown): void } = new Reused();
    for (const change of [{}, { recipient: `0x${"11".repeat(20)}` }]) {
      xhr.open("POST", `${url}/quote/v2`);
      xhr.send(JSON.stringify({ ...sample.request, ...change }));
    }
    xhr.answer();
    expect(await learnedBy(guard)).to.deep.equal([{ appended: 0, reason: "its quote is not proven" }]);
  });

  it("a request of another script, which `policyFor` refuses by an error: teaches no payment", async () => {
    const guard = createQuoteGuard({
      now: () => now,
      policy,
      policyFor: ({ recipient }) => {
        if (recipient !== undefined) throw new Error("not the page's recipient");
        return {};
      },
    });
    const scope: RequestScope = { fetch };
    watchRequests(guard, scope);
    const body = JSON.stringify({ ...sample.request, recipient: sample.request.user });
    await scope.fetch?.(`${url}/quote/v2`, { body, method: "POST" });
    expect(await learnedBy(guard)).to.deep.equal([{ appended: 0, reason: "its quote cannot be proven" }]);
  });

  it("steps that answer a submitted signature are handed to the guard with their request id", async () => {
    const added: unknown[] = [];
    const guard: QuoteGuard = {
      ...start(),
      append: async (learned) => {
        added.push(learned);
        return { differences: [], isProven: true };
      },
    };
    const instance = axios.create();
    watchAxios(instance, guard);
    const requestId = "0xab";
    await instance.request({
      data: JSON.stringify({ kind: "permit", requestId }),
      method: "POST",
      params: { signature: "0x" },
      url: `${url}/execute/permits`,
    });
    expect(added).to.deep.equal([{ requestId, steps: sample.quote.steps }]);
  });
});
