import type { RequestType } from "../store/tables/requestTables.ts";
import type { RequestScene, ScenarioContext } from "./Scenario.ts";
import { currencyOf, fund } from "./steps/chainActions.ts";
import { freshAddress, pay, payment, quoteOf, type Wanted } from "./steps/payments.ts";

function filled(sentence: string, wanted: (scenario: ScenarioContext) => Wanted = () => ({})): RequestScene {
  return {
    cause: "real",
    play: async (scenario) => pay(scenario, await quoteOf(scenario, wanted(scenario))),
    sentence,
    status: "success",
  };
}

const onOrigin = ({ origin }: ScenarioContext) => ({ destinationChainId: origin.definition.id });

/** One scene for each type of request. */
export const requestTypeScenes: Readonly<Record<RequestType, RequestScene>> = {
  Bridge: filled("Native currency is paid on one chain and received on another."),
  Call: filled("The fill makes the user's call on the destination.", (scenario) => ({
    txs: [{ data: "0x", to: freshAddress(scenario), value: "1000" }],
  })),
  "Crosschain Swap": filled("USDC is received on another chain for native currency.", ({ destination }) => ({
    destinationCurrency: currencyOf(destination, "USDC"),
  })),
  "Same-chain Swap": filled("The user's own transaction swaps native currency to USDC.", (scenario) => ({
    ...onOrigin(scenario),
    destinationCurrency: currencyOf(scenario.origin, "USDC"),
  })),
  Send: filled("The user's own transaction sends native currency to a recipient.", onOrigin),
  Unwrap: {
    cause: "real",
    play: async (scenario) => {
      const { origin } = scenario;
      const originCurrency = origin.swap.wrappedNative;
      await fund(scenario, origin, originCurrency, payment);
      return pay(scenario, await quoteOf(scenario, { ...onOrigin(scenario), originCurrency }));
    },
    sentence: "The user's own transaction unwraps wrapped native currency.",
    status: "success",
  },
  Wrap: filled("The user's own transaction wraps native currency.", (scenario) => ({
    ...onOrigin(scenario),
    destinationCurrency: scenario.origin.swap.wrappedNative,
  })),
};
