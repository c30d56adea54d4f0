import type { RequestType } from "../store/tables/requestTables.ts";
import type { RequestScene, Stage } from "./Scenario.ts";
import { currencyOf, fund } from "./stage/chainActions.ts";
import { freshAddress, pay, payment, quoteOf, type Wanted } from "./stage/payments.ts";

function filled(sentence: string, wanted: (stage: Stage) => Wanted = () => ({})): RequestScene {
  return {
    cause: "real",
    play: async (stage) => pay(stage, await quoteOf(stage, wanted(stage))),
    sentence,
    status: "success",
  };
}

const onOrigin = ({ origin }: Stage) => ({ destinationChainId: origin.definition.id });

/** One scene for each type of request. */
export const requestTypeScenes: Readonly<Record<RequestType, RequestScene>> = {
  Bridge: filled("Native currency is paid on one chain and received on another."),
  Call: filled("The fill makes the user's call on the destination.", (stage) => ({
    txs: [{ data: "0x", to: freshAddress(stage), value: "1000" }],
  })),
  "Crosschain Swap": filled("USDC is received on another chain for native currency.", ({ destination }) => ({
    destinationCurrency: currencyOf(destination, "USDC"),
  })),
  "Same-chain Swap": filled("The user's own transaction swaps native currency to USDC.", (stage) => ({
    ...onOrigin(stage),
    destinationCurrency: currencyOf(stage.origin, "USDC"),
  })),
  Send: filled("The user's own transaction sends native currency to a recipient.", onOrigin),
  Unwrap: {
    cause: "real",
    play: async (stage) => {
      const { origin } = stage;
      const originCurrency = origin.swap.wrappedNative;
      await fund(stage, origin, originCurrency, payment);
      return pay(stage, await quoteOf(stage, { ...onOrigin(stage), originCurrency }));
    },
    sentence: "The user's own transaction unwraps wrapped native currency.",
    status: "success",
  },
  Wrap: filled("The user's own transaction wraps native currency.", (stage) => ({
    ...onOrigin(stage),
    destinationCurrency: stage.origin.swap.wrappedNative,
  })),
};
