import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { hashesFast } from "./GuardItem.ts";
import { isSignIn, readMessage } from "./signItems.ts";

/** Characters of a text that show whether it is a sign-in. Even: hexadecimal text stays so. */
const longestHead = 2_000;

/**
 * Expects an answer, or its steps, as an honest service gives it. Clients post and sign what an answer holds: a request for
 * a quote would pass for the page's own, a message for the page's sign-in.
 *
 * @throws InvalidParameterError
 */
export function assertHonest(answer: unknown, signInDomain: string | undefined): void {
  const { steps = answer } = Object(answer) as { readonly steps?: unknown };
  const items = [steps ?? []].flat().flatMap((step) => (Object(step) as { items?: unknown }).items);
  const signs = items.map((item) => Object(Object(Object(item).data).sign));
  if (!hashesFast({ message: signs.map(({ value }) => value), types: signs.map(({ types }) => types) }))
    throw new InvalidParameterError({ parameter: "quote", reason: "its typed data has too many parts" });
  JSON.stringify(answer, (_, value: unknown) => {
    const isRequest = ["originChainId", "tradeType"].every((name) => Object.hasOwn(Object(value), name));
    const isMessage =
      typeof value === "string" && isSignIn(readMessage(value.slice(0, longestHead)), signInDomain);
    if (!isRequest && !isMessage) return value;
    throw new InvalidParameterError({
      parameter: "quote",
      reason: "it holds a request for a quote, or a sign-in",
    });
  });
}
