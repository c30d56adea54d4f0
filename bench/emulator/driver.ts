import { type Hex, hexToNumber, parseEther, zeroAddress } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { WebSocket } from "ws";
import type { EmulatorInfo } from "../../emulator/index.ts";
import { keepAlive } from "./keepAlive.ts";

/** A user of an emulator in another process: signs and sends immediately, and listens to the stream. */
export type Driver = {
  quote(): Promise<void>;
  /** From quote to success. */
  cross(): Promise<void>;
  /** A plain transfer on the origin, then one on the destination: the lower bound of any intent. */
  transferTwice(): Promise<void>;
  close(): void;
};

type QuoteAnswer = {
  steps: { requestId: Hex; items: { data: { to: Hex; data: Hex; value: string } }[] }[];
};
type Payer = { readonly account: PrivateKeyAccount; nonce: number; last: Promise<unknown> };
type Call = { to: Hex; data?: Hex; value: string };

const gas = 200_000n;
const maxFeePerGas = 100_000_000_000n;
const event = "request.status.updated";

/** Connects a user, with a maximum number of concurrent requests. */
export async function startDriver(info: EmulatorInfo, connections: number): Promise<Driver> {
  const [origin, destination] = info.chains;
  if (origin === undefined || destination === undefined) throw new Error("the emulator has too few chains");
  const { close, post } = keepAlive(connections);
  const ask = async (method: string, params: readonly unknown[], { rpcUrl } = origin) => {
    const answer = (await post(rpcUrl, { id: 1, jsonrpc: "2.0", method, params })) as {
      error?: { message: string };
      result?: unknown;
    };
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
  const payersOf = (chain: typeof origin) =>
    Promise.all(
      chain.accounts.map(async ({ address, privateKey }): Promise<Payer> => {
        const nonce = hexToNumber((await ask("eth_getTransactionCount", [address, "latest"], chain)) as Hex);
        return { account: privateKeyToAccount(privateKey), last: Promise.resolve(), nonce };
      }),
    );
  const payers = await payersOf(origin);
  const payersThere = await payersOf(destination);
  const stream = await listen(info.wsUrl);
  let turn = 0;
  const nextPayer = (among = payers) => {
    const payer = among[turn++ % among.length];
    if (payer === undefined) throw new Error("the emulator has no accounts");
    return payer;
  };
  const quoteFor = (payer: Payer) =>
    post(`${info.apiUrl}/quote/v2`, {
      amount: parseEther("0.01").toString(),
      destinationChainId: destination.id,
      destinationCurrency: zeroAddress,
      originChainId: origin.id,
      originCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      user: payer.account.address,
    }) as Promise<QuoteAnswer>;

  const send = async (payer: Payer, { data, to, value }: Call, chain = origin) => {
    const raw = await payer.account.signTransaction({
      chainId: chain.id,
      data,
      gas,
      maxFeePerGas,
      nonce: payer.nonce++,
      to,
      type: "eip1559",
      value: BigInt(value),
    });
    // A node accepts an account's transactions only in nonce order.
    const sent = payer.last.then(() => ask("eth_sendRawTransaction", [raw], chain));
    payer.last = sent.catch(() => undefined);
    await sent;
  };

  return {
    close: () => {
      stream.close();
      close();
    },
    cross: async () => {
      const payer = nextPayer();
      const { steps } = await quoteFor(payer);
      const [step] = steps;
      const deposit = step?.items[0]?.data;
      if (step === undefined || deposit === undefined) throw new Error("the quote has no deposit");
      const succeeded = stream.success(step.requestId);
      await send(payer, deposit);
      await succeeded;
    },
    quote: async () => {
      await quoteFor(nextPayer());
    },
    transferTwice: async () => {
      const [payer, payerThere] = [nextPayer(), nextPayer(payersThere)];
      await send(payer, { to: payerThere.account.address, value: "1" });
      await send(payerThere, { to: payer.account.address, value: "1" }, destination);
    },
  };
}

/** Status stream that reports successful requests. */
async function listen(url: string) {
  const socket = new WebSocket(url);
  const waiting = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  socket.on("message", (message) => {
    const { data } = JSON.parse(message.toString()) as { data?: { requestId?: string; status?: string } };
    const { requestId = "", status = "" } = data ?? {};
    const waiter = waiting.get(requestId);
    if (waiter === undefined || !["success", "failure", "refund"].includes(status)) return;
    waiting.delete(requestId);
    socket.send(JSON.stringify({ event, filters: { id: requestId }, type: "unsubscribe" }));
    if (status === "success") waiter.resolve();
    else waiter.reject(new Error(`${requestId} ended in ${status}`));
  });
  return {
    close: () => socket.terminate(),
    success: (id: string) =>
      new Promise<void>((resolve, reject) => {
        waiting.set(id, { reject, resolve });
        socket.send(JSON.stringify({ event, filters: { id }, type: "subscribe" }));
      }),
  };
}
