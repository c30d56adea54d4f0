import { createWalletClient, defineChain, http, parseEther, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type Emulator, startEmulator } from "../emulator/index.ts";
import { createClient, execute, getQuote } from "../src/client/index.ts";
import type { Report } from "./Report.ts";
import { median } from "./table.ts";

const starts = 5;
const intents = 50;
const quotes = 200;

/** How long the emulator takes: to start, to quote, and from quote to success. */
export async function benchEmulator(): Promise<Report> {
  const ready: number[] = [];
  for (let i = 0; i < starts; i++) {
    const started = performance.now();
    const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
    ready.push(performance.now() - started);
    await emulator.stop();
  }
  const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
  try {
    const quoting = await measureQuotes(emulator);
    const crossing = await measureIntents(emulator);
    const times = {
      "ready after start, in this process": ready,
      quote: quoting,
      "intent, quote to success": crossing,
    };
    return {
      header: ["emulator", "runs", "median", "slowest"],
      rows: Object.entries(times).map(([name, values]) => row(name, values)),
      values: Object.entries(times).map(([name, values]) => ({
        name,
        runs: values.length,
        medianMilliseconds: median(values),
        slowestMilliseconds: Math.max(...values),
      })),
    };
  } finally {
    await emulator.stop();
  }
}

function row(name: string, values: readonly number[]): readonly string[] {
  const shown = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;
  return [name, String(values.length), shown(median(values)), shown(Math.max(...values))];
}

async function measureQuotes(emulator: Emulator): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < quotes; i++) {
    const started = performance.now();
    await quoteOne(emulator);
    times.push(performance.now() - started);
  }
  return times;
}

async function measureIntents(emulator: Emulator): Promise<readonly number[]> {
  const { client, wallet } = connect(emulator);
  const times: number[] = [];
  for (let i = 0; i < intents; i++) {
    const started = performance.now();
    const quote = await quoteOne(emulator);
    await execute(client, { pollingInterval: 2, quote, wallet });
    times.push(performance.now() - started);
  }
  return times;
}

async function quoteOne(emulator: Emulator) {
  const { client, wallet } = connect(emulator);
  return getQuote(client, {
    amount: parseEther("0.01"),
    destinationChainId: 31338,
    destinationCurrency: zeroAddress,
    originChainId: 31337,
    originCurrency: zeroAddress,
    tradeType: "EXACT_INPUT",
    user: wallet.account.address,
  });
}

function connect({ info }: Emulator) {
  const [origin] = info.chains;
  const key = origin?.accounts[0]?.privateKey;
  if (origin === undefined || key === undefined) throw new Error("the emulator has no funded account");
  const chain = defineChain({
    id: origin.id,
    name: origin.name,
    nativeCurrency: { decimals: 18, name: "Ether", symbol: "ETH" },
    rpcUrls: { default: { http: [origin.rpcUrl] } },
  });
  return {
    client: createClient({ baseUrl: info.apiUrl }),
    wallet: createWalletClient({ account: privateKeyToAccount(key), chain, transport: http(origin.rpcUrl) }),
  };
}
