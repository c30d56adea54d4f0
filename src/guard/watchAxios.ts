import { assertFunction } from "../internal/readParts.ts";
import { assertGuard, type QuoteGuard } from "./createQuoteGuard.ts";
import { watchTraffic } from "./watchTraffic.ts";

/** Configuration of a request by axios, as far as the guard reads it. */
type AxiosConfig = {
  baseURL?: string | undefined;
  url?: string | undefined;
  method?: string | undefined;
  data?: unknown;
  transformResponse?: unknown;
};

/** An instance of axios, such as the official client's export `axios`. */
export type AxiosLike<Config extends AxiosConfig = AxiosConfig> = {
  readonly interceptors: {
    readonly request: {
      readonly use: (onFulfilled: (config: Config) => Config) => number;
      eject(id: number): void;
    };
  };
};

/**
 * Lets a guard learn the quotes that an instance of axios fetches: asks for the order's signature with each, and takes the
 * answers. Also takes the steps that the service appends after a signature.
 *
 * @param axios The instance. The official client exports its own.
 * @returns A function that ends it.
 * @throws {InvalidParameterError} For another argument, by name.
 *
 * @example
 * import { type AxiosLike, createQuoteGuard, watchAxios } from "waybill/guard";
 *
 * // Of the official client: import { axios } from "@relayprotocol/relay-sdk".
 * const axios: AxiosLike = { interceptors: { request: { eject: () => {}, use: () => 0 } } };
 * const guard = createQuoteGuard({ policy: { price: ({ amount }) => amount } });
 * const stop = watchAxios(axios, guard);
 * stop();
 */
export function watchAxios<Config extends AxiosConfig>(
  axios: AxiosLike<Config>,
  guard: QuoteGuard,
): () => void {
  for (const name of ["use", "eject"] as const) {
    assertFunction(
      `axios.interceptors.request.${name}`,
      (axios as AxiosLike<Config> | undefined)?.interceptors?.request?.[name],
    );
  }
  assertGuard(guard);
  const { request } = axios.interceptors;
  const id = request.use((config) => {
    const { baseURL = "", data, method = "GET", transformResponse, url = "" } = config;
    const watched = watchTraffic(guard, method, `${baseURL}/${url}`);
    const body = watched.read?.(data);
    const learn = (answer: unknown, _headers: unknown, status?: number) => {
      watched.learn(answer, status === undefined || (status >= 200 && status < 300));
      return answer;
    };
    if (body !== undefined) config.data = typeof data === "string" ? JSON.stringify(body) : body;
    config.transformResponse = [...[transformResponse ?? []].flat(), learn];
    return config;
  });
  return () => request.eject(id);
}
