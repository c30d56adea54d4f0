import { parseEther, zeroAddress } from "viem";
import type { ServiceErrorCode } from "../../src/errors/serviceErrorCodes.ts";
import { healthy } from "../context/ChainHealth.ts";
import { ownKey } from "./failures/signatures.ts";
import type { ApiAnswer, ScenarioContext, Scene } from "./Scenario.ts";
import { currencyOf } from "./steps/chainActions.ts";
import { askQuote, freshAddress, payment, tokenPayment, type Wanted } from "./steps/payments.ts";

type QuoteScene = Scene<ApiAnswer>;

function asked(sentence: string, wanted: (scenario: ScenarioContext) => Wanted): QuoteScene {
  return { cause: "real", play: (scenario) => askQuote(scenario, wanted(scenario)), sentence };
}

function forced(errorCode: ServiceErrorCode, sentence: string): QuoteScene {
  return {
    cause: "injected",
    play: async (scenario) => {
      const { control, referrer } = scenario;
      const fault = { errorCode, kind: "quote-refused", message: sentence, referrer } as const;
      const { id } = await control.faults.add(fault);
      scenario.onEnd(() => control.faults.remove(id));
      return askQuote(scenario);
    },
    sentence,
  };
}

/** One scene for each code of a refused quote. A new code without one does not compile. */
export const quoteErrorScenes: Readonly<Record<ServiceErrorCode, QuoteScene>> = {
  AMOUNT_TOO_LOW: asked("The amount does not cover the fees.", () => ({ amount: "1" })),
  CHAIN_DISABLED: {
    cause: "real",
    play: (scenario) => {
      // Only this quote sees the chain disabled.
      const disabled = { ...healthy, disabled: true };
      const by = scenario.serviceIn(({ control }) => ({
        control: { ...control, health: { of: () => disabled } },
      }));
      return askQuote(scenario, {}, by);
    },
    sentence: "The health of the chain disables it.",
  },
  DESTINATION_TX_FAILED: asked(
    "A call takes more than the output, so that the fill reverts in simulation.",
    (scenario) => ({
      txs: [{ data: "0x", to: freshAddress(scenario), value: payment }],
    }),
  ),
  ERC20_ROUTER_ADDRESS_NOT_FOUND: forced("ERC20_ROUTER_ADDRESS_NOT_FOUND", "The chain has no router."),
  EXTRA_TXS_NOT_SUPPORTED: asked("Calls are asked for with a deposit address.", (scenario) => ({
    txs: [{ data: "0x", to: freshAddress(scenario), value: "1" }],
    useDepositAddress: true,
  })),
  FORBIDDEN: {
    cause: "real",
    play: async (scenario) => askQuote(scenario, { subsidizeFees: true }, (await ownKey(scenario)).service),
    sentence: "An API key without a sponsor's balance asks for sponsored fees.",
  },
  INSUFFICIENT_FUNDS: asked("The user does not hold what the requested signature would pay.", (scenario) => ({
    ...inToken(scenario),
    usePermit: true,
  })),
  INSUFFICIENT_LIQUIDITY: asked("The amount exceeds what the solver lends to one request.", () => ({
    amount: parseEther("1000000000"),
  })),
  INVALID_ADDRESS: asked("Refunds would go to the zero address.", () => ({ refundTo: zeroAddress })),
  INVALID_EXTRA_TXS: asked("A fixed output is not the sum of the calls' values.", (scenario) => ({
    tradeType: "EXACT_OUTPUT",
    txs: [{ data: "0x", to: freshAddress(scenario), value: "1" }],
  })),
  INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS: asked("The gas limit of the deposit's calls is zero.", () => ({
    gasLimitForDepositSpecifiedTxs: 0,
  })),
  INVALID_INPUT_CURRENCY: asked("The origin chain has no such currency.", (scenario) => ({
    originCurrency: freshAddress(scenario),
  })),
  INVALID_OUTPUT_CURRENCY: asked("The destination chain has no such currency.", (scenario) => ({
    destinationCurrency: freshAddress(scenario),
  })),
  INVALID_RECIPIENT: asked("The recipient is a token.", ({ destination }) => ({
    recipient: currencyOf(destination, "USDC"),
  })),
  INVALID_SLIPPAGE_TOLERANCE: asked("The slippage tolerance exceeds 10000 basis points.", () => ({
    slippageTolerance: "10001",
  })),
  NO_INTERNAL_SWAP_ROUTES_FOUND: asked("No allowed source swaps on the destination.", ({ destination }) => ({
    destinationCurrency: currencyOf(destination, "USDC"),
    includedDestinationSwapSources: ["another"],
  })),
  NO_QUOTES: forced("NO_QUOTES", "No solver quotes the request."),
  NO_SWAP_ROUTES_FOUND: asked(
    "The input needs a swap, and swaps on the origin are disabled.",
    ({ origin }) => ({
      disableOriginSwaps: true,
      originCurrency: currencyOf(origin, "USDT"),
    }),
  ),
  PERMIT_FAILED: forced("PERMIT_FAILED", "The signature's data cannot be built."),
  PRICE_FETCH_FAILED: forced("PRICE_FETCH_FAILED", "The price of a currency cannot be read."),
  REQUEST_TIMED_OUT: forced("REQUEST_TIMED_OUT", "The quote takes too long."),
  ROUTE_TEMPORARILY_RESTRICTED: forced(
    "ROUTE_TEMPORARILY_RESTRICTED",
    "The route is restricted for a while.",
  ),
  RPC_HTTP_ERROR: forced("RPC_HTTP_ERROR", "The node of a chain does not answer."),
  SANCTIONED_CURRENCY: forced("SANCTIONED_CURRENCY", "The currency is sanctioned."),
  SANCTIONED_WALLET_ADDRESS: forced("SANCTIONED_WALLET_ADDRESS", "The user's wallet is sanctioned."),
  SERVICE_UNAVAILABLE: forced("SERVICE_UNAVAILABLE", "The service is unavailable."),
  SOLANA_TX_TOO_LARGE: forced(
    "SOLANA_TX_TOO_LARGE",
    "The deposit is larger than a transaction of the SVM chain may be.",
  ),
  SWAP_IMPACT_TOO_HIGH: asked("The swap loses more than 15 percent of its input.", (scenario) => ({
    amount: "900000000000000",
    destinationChainId: scenario.origin.definition.id,
    destinationCurrency: scenario.origin.swap.wrappedNative,
    originCurrency: currencyOf(scenario.origin, "USDC"),
  })),
  SWAP_QUOTE_FAILED: forced("SWAP_QUOTE_FAILED", "A pool does not tell its reserves."),
  UNAUTHORIZED: {
    cause: "real",
    play: (scenario) =>
      askQuote(scenario, {}, (method, path, options) =>
        scenario.service(method, path, { ...options, headers: { "x-api-key": "unknown" } }),
      ),
    sentence: "The API key is unknown.",
  },
  UNKNOWN_ERROR: forced("UNKNOWN_ERROR", "The service fails."),
  UNSUPPORTED_CHAIN: asked("The origin chain is unknown.", () => ({ originChainId: 4_294_967 })),
  UNSUPPORTED_CURRENCY: forced("UNSUPPORTED_CURRENCY", "The service does not take the currency."),
  UNSUPPORTED_EXECUTION_TYPE: asked("A cap of sponsored fees is asked for without sponsored fees.", () => ({
    maxSubsidizationAmount: "1",
  })),
  UNSUPPORTED_ROUTE: asked("Chain, currency and account are the same on both sides.", ({ origin, user }) => ({
    destinationChainId: origin.definition.id,
    recipient: user.account.address,
  })),
  USER_RECIPIENT_MISMATCH: forced(
    "USER_RECIPIENT_MISMATCH",
    "The route takes no other recipient than the user.",
  ),
};

function inToken({ destination, origin }: ScenarioContext): Wanted {
  return {
    amount: tokenPayment,
    destinationCurrency: currencyOf(destination, "USDC"),
    originCurrency: currencyOf(origin, "USDC"),
  };
}
