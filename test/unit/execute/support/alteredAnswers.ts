import {
  createPublicClient,
  createWalletClient,
  custom,
  type Hex,
  hexToBigInt,
  type PublicClient,
  type Transport,
} from "viem";
import type { ExecutionState } from "../../../../src/execute/ExecutionState.ts";
import { type ExecuteParameters, execute } from "../../../../src/execute/execute.ts";
import type { ExecuteProgress } from "../../../../src/execute/Run.ts";
import { type FakeService, fakeService } from "../../client/support/fakeService.ts";
import { bridgeQuote } from "../../client/support/samples.ts";
import { success } from "./attempt.ts";
import { account, type FakeChain } from "./fakeChain.ts";

type Call = { method: string; params?: unknown[] };
type Request = (call: Call) => Promise<unknown>;

/** A node between the library and the chain, whose answers `alter` changes. */
export function alterNode(chain: FakeChain, alter: (call: Call, honest: Request) => unknown): Request {
  return async ({ method, params = [] }) => alter({ method, params }, chain.request);
}

/** A reader of a node, without a cache and without repeats. */
export function readerOf(request: Request): PublicClient<Transport> {
  const transport = custom({ request }, { retryCount: 0 });
  return createPublicClient({ cacheTime: 0, transport }) as PublicClient<Transport>;
}

/** The code of an error, if it has one. */
export const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code;

/** The test account's key behind a node. */
export function localWallet(request: Request): ReturnType<typeof createWalletClient> {
  return createWalletClient({ account, transport: custom({ request }, { retryCount: 0 }) });
}

/** A wallet that keeps the key, sends what it is asked to, and answers with `answer`. */
export function sendingWallet(
  chain: FakeChain,
  answer: (hash: unknown) => unknown,
): ReturnType<typeof createWalletClient> {
  const request: Request = async ({ method, params = [] }) => {
    if (method !== "eth_sendTransaction") return chain.request({ method, params });
    const [{ data, gas, to, value }] = params as [{ data: Hex; gas: Hex; to: Hex; value?: Hex }];
    const raw = await account.signTransaction({
      chainId: 31337,
      data,
      gas: hexToBigInt(gas),
      maxFeePerGas: 2n,
      maxPriorityFeePerGas: 1n,
      nonce: chain.sent.length,
      to,
      type: "eip1559",
      value: hexToBigInt(value ?? "0x0"),
    });
    return answer(await chain.request({ method: "eth_sendRawTransaction", params: [raw] }));
  };
  return createWalletClient({
    account: account.address,
    transport: custom({ request }, { retryCount: 0 }),
  });
}

/** Runs without a proof, in the process as it is, and returns the error, the saved states and the result. */
export async function tryPayment(
  chain: FakeChain,
  { service = fakeService([success]), ...more }: Partial<ExecuteParameters> & { service?: FakeService } = {},
): Promise<{ error: unknown; saved: ExecutionState | undefined; status: string | undefined }> {
  let saved: ExecutionState | undefined;
  const onProgress = async (event: ExecuteProgress) => {
    saved = JSON.parse(JSON.stringify(event.state));
    await more.onProgress?.(event);
  };
  try {
    const { status } = await execute(service.client, {
      publicClient: chain.publicClient as PublicClient<Transport>,
      quote: bridgeQuote(),
      timeout: 5_000,
      verify: false,
      wallet: chain.wallet,
      ...more,
      onProgress,
    });
    return { error: undefined, saved, status };
  } catch (error) {
    return { error, saved, status: undefined };
  }
}
