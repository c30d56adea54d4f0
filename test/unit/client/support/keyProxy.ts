import { type CreateKeyProxyParameters, createKeyProxy } from "../../../../src/client/index.ts";

/** A key with characters that JSON escapes. */
export const apiKey = 'sk-"live"\\3f1c9d';

/** A proxy, the calls that it makes of the service, and a call of it: its answer's status and body. */
export function stage(
  answer: (url: string, init: RequestInit) => Response | Promise<Response> = () => Response.json({}),
  more: Partial<CreateKeyProxyParameters> = {},
) {
  const calls: { init: RequestInit; url: string }[] = [];
  const handler = createKeyProxy({
    apiKey,
    baseUrl: "https://service.test/v",
    fetch: async (url, init) => {
      calls.push({ init, url });
      return answer(url, init);
    },
    ...more,
  });
  const call = (path: string, init?: RequestInit) => handler(new Request(`https://app.test${path}`, init));
  const statusOf = async (path: string, init?: RequestInit) => (await call(path, init)).status;
  return { call, calls, handler, statusOf };
}
