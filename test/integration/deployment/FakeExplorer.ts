import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The submitted source of an address. */
export type Submission = { readonly contract: string; readonly args: string };

/** A block explorer with the part of Etherscan's API that verification needs; it accepts every source. */
export class FakeExplorer {
  readonly submissions = new Map<string, Submission>();
  /** Number of submitted sources. */
  verifications = 0;
  readonly #server: Server = createServer((request, response) => {
    void this.#answer(request).then((result) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ message: "OK", result, status: "1" }));
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    const query = new URL(request.url ?? "", "http://explorer").searchParams;
    switch (query.get("action")) {
      case "getsourcecode":
        return [{ SourceCode: this.submissions.has(query.get("address") ?? "") ? "…" : "" }];
      case "verifysourcecode": {
        let body = "";
        for await (const chunk of request) body += String(chunk);
        const form = new URLSearchParams(body);
        const address = form.get("contractaddress") ?? "";
        const contract = form.get("contractname") ?? "";
        this.verifications += 1;
        this.submissions.set(address, { args: form.get("constructorArguments") ?? "", contract });
        return "receipt";
      }
      default:
        return "Pass - Verified";
    }
  }
}
