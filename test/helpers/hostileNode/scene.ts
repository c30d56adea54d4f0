import { type Hex, zeroAddress } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { RunningChain } from "../../../emulator/chains/Chain.ts";
import { startChains, startEmulator, trustOfEmulator } from "../../../emulator/index.ts";
import { createClient, type GetQuoteParameters, getQuote, type Quote } from "../../../src/client/index.ts";
import { type TestChain, testChain } from "../emulatorFixture.ts";
import { requestFor } from "../hostileQuotes/routes.ts";
import type { TestSymbol } from "../quotes/intents.ts";

/** The recipient of every payment. */
const recipient = "0x00000000000000000000000000000000000a11ce";

/** A honest quote of a payment, with what its proof is given. */
export type Payment = {
  readonly name: string;
  readonly quote: Quote;
  readonly request: GetQuoteParameters;
  readonly requestId: string;
  /** Amount that leaves the victim, in smallest units of `currency`. */
  readonly amount: bigint;
  readonly currency: `0x${string}`;
};

/** One of two chains with the same contracts and accounts. */
export type SceneChain = { readonly id: number; readonly rpc: RunningChain["rpc"] };

/** Two chains, a victim, and quotes of its payments on the first chain. No service runs any more. */
export type Scene = {
  readonly origin: SceneChain;
  readonly other: SceneChain;
  readonly victim: PrivateKeyAccount;
  readonly key: Hex;
  readonly payments: readonly Payment[];
  readonly trust: ReturnType<typeof trustOfEmulator>;
  /** Unix milliseconds of the quotes. */
  readonly now: number;
  close(): Promise<void>;
};

type PaymentKind = {
  readonly name: string;
  readonly from: TestSymbol;
  readonly to: TestSymbol;
  readonly sameChain?: true;
  readonly isOwn?: true;
};

const kinds: readonly PaymentKind[] = [
  { from: "ETH", name: "native bridge", to: "ETH" },
  { from: "USDC", name: "token bridge", to: "USDC" },
  { from: "ETH", isOwn: true, name: "wrap", sameChain: true, to: "WETH" },
  { from: "ETH", name: "native send", sameChain: true, to: "ETH" },
  { from: "USDC", name: "token send", sameChain: true, to: "USDC" },
  { from: "ETH", name: "native swap", sameChain: true, to: "USDC" },
  { from: "USDC", name: "token swap", sameChain: true, to: "WETH" },
];

/** Starts two chains, deploys the service, requests the quotes and stops the service. */
export async function openScene(): Promise<Scene> {
  const { chains, close } = await startChains({ chainPorts: [0, 0] });
  const emulator = await startEmulator({
    chains: chains.map(({ definition: { id }, rpcUrl }) => ({ id, rpcUrl })),
    port: 0,
    seed: "hostile node",
  });
  const { info } = emulator;
  const [alpha, beta] = info.chains.map(testChain);
  if (alpha === undefined || beta === undefined) throw new Error("the emulator has too few chains");
  const key = (alpha.info.accounts[1]?.privateKey ?? "0x") as Hex;
  const victim = privateKeyToAccount(key);
  const client = createClient({ baseUrl: info.apiUrl });
  const payments = await Promise.all(
    kinds.map(async (kind): Promise<Payment> => {
      const accounts = { callee: zeroAddress, recipient, user: victim.address } as const;
      const request = requestFor(kind, { alpha, beta } as never, accounts);
      const quote = await getQuote(client, request);
      const currency = alpha.currency(kind.from);
      const requestId = quote.steps.findLast((step) => step.requestId !== undefined)?.requestId ?? "";
      return { amount: BigInt(request.amount), currency, name: kind.name, quote, request, requestId };
    }),
  );
  await emulator.stop();
  const sceneChain = ({ info: { id } }: TestChain): SceneChain => {
    const chain = chains.find(({ definition }) => definition.id === id);
    if (chain === undefined) throw new Error(`no chain ${id} runs`);
    return { id, rpc: chain.rpc };
  };
  return {
    close,
    key,
    now: Date.now(),
    origin: sceneChain(alpha),
    other: sceneChain(beta),
    payments,
    trust: trustOfEmulator(info),
    victim,
  };
}
