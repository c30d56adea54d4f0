import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Address, formatUnits, parseUnits } from "viem";
import { useConfig, useConnect, useConnection, useConnectors } from "wagmi";
import { getPublicClient, getWalletClient, switchChain } from "wagmi/actions";
import { BaseError } from "waybill";
import {
  amountOf,
  createClient,
  type GetQuoteParameters,
  getQuote,
  minimumAmountOf,
  type Quote,
} from "waybill/client";
import { type ExecuteProgress, execute, type TrustRoots, verifyQuote } from "waybill/execute";

/** What the page may hold: all of it is public. The API key stays on the server, see the example `fetch-handler`. */
export type BridgeSettings = {
  /** The app's own route to the service, such as `https://app.example/api/relay`. */
  apiUrl: string;
  from: { chainId: number; currency: Address };
  to: { chainId: number; currency: Address };
  /** Contracts and solver that the page trusts. Leave it out in production: the default is `productionTrust`. */
  trust?: TrustRoots;
};

const decimals = 6;

/** Sends USDC to the same account on another chain. */
export function Bridge({ apiUrl, from, to, trust }: BridgeSettings) {
  const config = useConfig();
  const { address: user } = useConnection();
  const { mutate: connect } = useConnect();
  const connectors = useConnectors();
  const [amount, setAmount] = useState("50");
  const [status, setStatus] = useState("");
  const client = createClient({ baseUrl: apiUrl });

  const offer = useMutation({
    mutationFn: async () => {
      if (user === undefined) throw new Error("Connect a wallet first.");
      const paid = parseUnits(amount, decimals);
      const request: GetQuoteParameters = {
        amount: paid,
        destinationChainId: to.chainId,
        destinationCurrency: to.currency,
        originChainId: from.chainId,
        originCurrency: from.currency,
        refundTo: user,
        slippageTolerance: "50",
        tradeType: "EXACT_INPUT",
        user,
      };
      // The page's own bound: dollars for dollars, less 2 % for fees and slippage. The quote's own figures prove nothing.
      const verify = { minimumOutput: (paid * 98n) / 100n, ...(trust && { trust }) };
      // Proves the quote before the user sees it; `execute` proves it again before the wallet does.
      const quote = await verifyQuote({ quote: await getQuote(client, request), request, ...verify });
      return { quote, request, verify };
    },
  });

  const payment = useMutation({
    mutationFn: async (offered: NonNullable<typeof offer.data>) => {
      await switchChain(config, { chainId: from.chainId });
      return execute(client, {
        ...offered,
        onProgress: (progress) => setStatus(describe(progress)),
        publicClient: getPublicClient(config, { chainId: from.chainId }),
        wallet: await getWalletClient(config, { chainId: from.chainId }),
      });
    },
    onError: () => setStatus(""),
  });

  const error = offer.error ?? payment.error;
  const isBusy = offer.isPending || payment.isPending;
  if (user === undefined) {
    return connectors.map((connector) => (
      <button key={connector.uid} onClick={() => connect({ connector })} type="button">
        Connect {connector.name}
      </button>
    ));
  }
  return (
    <main>
      <label>
        USDC <input disabled={isBusy} onChange={(event) => setAmount(event.target.value)} value={amount} />
      </label>
      <button disabled={isBusy} onClick={() => offer.mutate()} type="button">
        Quote
      </button>
      {offer.data && (
        <button disabled={isBusy} onClick={() => payment.mutate(offer.data)} type="button">
          {price(offer.data.quote)}
        </button>
      )}
      <p role="status">{payment.data ? `Arrived: ${payment.data.txHashes[0]}` : status}</p>
      {error && <p role="alert">{error instanceof BaseError ? error.shortMessage : error.message}</p>}
    </main>
  );
}

/** Amounts in smallest units are the proven ones; the service's formatted texts may differ. */
function price({ details: { currencyIn, currencyOut } }: Quote): string {
  const text = (units: bigint) => formatUnits(units, decimals);
  const expected = `Pay ${text(amountOf(currencyIn))}, receive ${text(amountOf(currencyOut))}`;
  return `${expected}, at least ${text(minimumAmountOf(currencyOut))}`;
}

function describe(progress: ExecuteProgress): string {
  if (progress.type === "status") return `The payment is ${progress.progress.status}`;
  const { phase, step } = progress;
  const isAsking = phase === "sending" || phase === "signing";
  return isAsking ? `Confirm "${step.id}" in your wallet` : `${step.id}: ${phase}`;
}
