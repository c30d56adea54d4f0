// In Next: app/api/relay/[...path]/route.ts, with `export const GET = handle` and `export const POST = handle`.
import { createKeyProxy, type KeyProxyCall } from "waybill/client";

export type RouteParameters = {
  /** From the server's environment. Never `NEXT_PUBLIC_…` or `VITE_…`: those are compiled into the page. */
  apiKey: string;
  /** `production.baseUrl`, or an emulator's `info.apiUrl`. */
  baseUrl: string;
  /** Currencies that the app trades, in lower case, by chain. */
  currencies: Readonly<Record<string, readonly string[]>>;
  /** Whether the caller is a user of this app: check the session, and limit each user's rate. */
  isAllowed: (request: Request) => boolean | Promise<boolean>;
};

/** The endpoints that the page needs. Others list requests of all users, or spend the app's balance. */
const routes = ["GET /chains", "GET /intents/status/v3", "POST /quote/v2", "POST /transactions/index"];

/** A handler of `/api/relay/*` that adds the API key to the calls of the app's own page. */
export function createRoute({ apiKey, baseUrl, currencies, isAllowed }: RouteParameters) {
  /** Returns why a call is refused. */
  function check({ body, path }: KeyProxyCall): string | undefined {
    if (path !== "/quote/v2") return undefined;
    const quote = Object(body) as Record<string, unknown>;
    const isTraded = (chainId: unknown, currency: unknown) =>
      currencies[`${chainId}`]?.includes(`${currency}`.toLowerCase()) === true;
    if (!isTraded(quote["originChainId"], quote["originCurrency"])) return "The input is not traded here";
    if (!isTraded(quote["destinationChainId"], quote["destinationCurrency"]))
      return "The output is not traded here";
    return undefined;
  }

  // The proxy itself refuses parameters that spend the app's balance. These also lose their default: the page makes no calls.
  const parameters = { referrer: { fixed: "my-app" }, txs: () => false };
  const proxy = createKeyProxy({ apiKey, baseUrl, check, parameters, prefix: "/api/relay", routes });

  return async function handle(request: Request): Promise<Response> {
    // Browsers set this header themselves, so another site cannot use a visitor's session.
    const isOwnPage = request.headers.get("sec-fetch-site") === "same-origin";
    if (isOwnPage && (await isAllowed(request))) return proxy(request);
    return Response.json({ message: "Not allowed" }, { status: 403 });
  };
}
