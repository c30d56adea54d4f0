import type { Account, Address, Hex, TypedDataDefinition } from "viem";
import type { GetQuoteParameters, Quote } from "../../../src/client/index.ts";
import type { EmulatorFixture, TestChain } from "../emulatorFixture.ts";
import { deploy, setCode } from "../localChain.ts";
import { quoteFor, sendAs, type TestSymbol } from "./intents.ts";

/** The ways to pay by signature, with a currency that is paid so. */
export const signedCurrencies = {
  eip3009: "USDC",
  permit: "USDC",
  permit2: "USDT",
} as const satisfies Record<string, TestSymbol>;

/** A way to pay by signature. */
export type SignedWay = keyof typeof signedCurrencies;

/** The deployed code of a contract. */
export async function deployedCode(
  chain: TestChain,
  path: string,
  args: readonly unknown[] = [],
): Promise<Hex> {
  const code = await chain.reader.getCode({ address: await deploy(chain, path, args) });
  if (!code) throw new Error(`${path} was not deployed`);
  return code;
}

/**
 * Removes ERC-3009 from USDC, which keeps its balances and permits.
 *
 * @returns A function that restores its code.
 */
export async function takeAuthorizations(chain: TestChain): Promise<() => Promise<void>> {
  const token = chain.currency("USDC");
  const before = await chain.reader.getCode({ address: token });
  if (before === undefined) throw new Error("USDC has no code");
  const args = ["USD Coin", "USDC", 6, chain.wallet(9).account.address];
  await setCode(chain, token, await deployedCode(chain, "service/currencies/LocalToken", args));
  return async () => {
    await setCode(chain, token, before);
  };
}

/** Parameters of a quote that is paid by signature. */
export function signed(way: SignedWay, to: TestSymbol = "USDC") {
  return { from: signedCurrencies[way], to, usePermit: true } satisfies Partial<GetQuoteParameters> & {
    from: TestSymbol;
    to: TestSymbol;
  };
}

/** The signature step of a quote. */
export function signatureOf(quote: Quote) {
  const step = quote.steps.find(({ kind }) => kind === "signature");
  if (step?.kind !== "signature") throw new Error("there is nothing to sign");
  const data = step.items[0]?.data;
  if (data?.sign.signatureKind !== "eip712") throw new Error("there is no typed data to sign");
  return { post: data.post, sign: data.sign, step };
}

/** An account's signature of a quote's request. */
export function signQuote(account: Account, quote: Quote): Promise<Hex> {
  if (account.type !== "local") throw new Error("the account's key is not here");
  const { domain, primaryType, types, value } = signatureOf(quote).sign;
  const typedData: unknown = { domain, message: value, primaryType, types };
  return account.signTypedData(typedData as TypedDataDefinition);
}

/** The answer to a signature. */
export type Posted = { readonly status: number; readonly body: Record<string, unknown> };

/** Posts a signature; `change` replaces parts of the body that the quote names. */
export async function postSignature(
  { emulator }: Pick<EmulatorFixture, "emulator">,
  quote: Quote,
  signature: string,
  change: Record<string, unknown> = {},
): Promise<Posted> {
  const { body } = signatureOf(quote).post;
  const answer = await fetch(`${emulator.info.apiUrl}/execute/permits?signature=${signature}`, {
    body: JSON.stringify({ ...body, ...change }),
    headers: { "content-type": "application/json" },
    method: "POST",
  });
  return { body: (await answer.json()) as Record<string, unknown>, status: answer.status };
}

/** Quotes a payment by Permit2 for the first user, who approves Permit2 first. */
export async function signedQuote(
  fixture: EmulatorFixture,
  overrides: Partial<Parameters<typeof quoteFor>[1]> = {},
) {
  const quote = await quoteFor(fixture, { ...signed("permit2"), ...overrides });
  // Permit2 needs one approval for each token.
  const [approval] = quote.steps[0]?.kind === "transaction" ? quote.steps[0].items : [];
  if (approval !== undefined) {
    const { data, to } = approval.data as { data: Hex; to: Address };
    await sendAs(fixture.alpha, 0, { data, to });
  }
  return quote;
}

/** Signs the quote's requested signature as the first user, and posts it. */
export async function handIn(fixture: EmulatorFixture, quote: Quote): Promise<void> {
  const signature = await signQuote(fixture.alpha.wallet(0).account, quote);
  const { body, status } = await postSignature(fixture, quote, signature);
  if (status !== 200) throw new Error(`the signature was not taken: ${JSON.stringify(body)}`);
}
