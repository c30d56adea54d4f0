import type { FailReason } from "../../../src/schema/request/failReason.ts";
import type { RequestScene } from "../Scenario.ts";
import { idsOf, pay, quoteOf } from "../steps/payments.ts";
import { callScenes } from "./calls.ts";
import { depositScenes } from "./deposits.ts";
import { fillScenes } from "./fills.ts";
import { signatureScenes, sponsorScenes } from "./signatures.ts";

/** Every documented reason but that of requests that did not fail. */
type Reason = Exclude<FailReason, "N/A">;

/** Scenes of the reasons whose real cause the emulator has. */
const real = { ...depositScenes, ...fillScenes, ...callScenes, ...signatureScenes, ...sponsorScenes };

/** Why each of the other reasons is given in production. */
const injected: Readonly<Record<Exclude<Reason, keyof typeof real>, string>> = {
  ACCOUNT_ABSTRACTION_GAS_LIMIT: "The smart account's operation exceeds its gas limit.",
  ACCOUNT_ABSTRACTION_INVALID_NONCE: "The smart account's operation has a used nonce.",
  ACCOUNT_ABSTRACTION_SIGNATURE_ERROR: "The smart account rejects its operation's signature.",
  AMOUNT_TOO_LOW_TO_REFUND: "The fill fails with an amount that is too low to refund.",
  BLOCKED_WALLET: "The recipient's wallet is blocked.",
  DEPOSIT_CONFIRMATION_TIMEOUT: "The deposit is not confirmed in time.",
  ERC_1155_TOO_MANY_REQUESTED: "A call asks for more ERC-1155 tokens than there are.",
  FLUID_DEX_ERROR: "A call's swap fails in the exchange Fluid.",
  GENERATE_SWAP_FAILED: "No swap can be built for the fill.",
  INCORRECT_PAYMENT: "A call pays another price than its target asks for.",
  INSUFFICIENT_FUNDS_FOR_RENT: "The fill on the SVM chain does not cover the rent of its accounts.",
  INSUFFICIENT_NATIVE_TOKENS_SUPPLIED: "A call carries less native currency than its target asks for.",
  INSUFFICIENT_POOL_LIQUIDITY: "A pool of the fill's swap holds too little.",
  INVALID_GAS_PRICE: "The fill's gas price is invalid.",
  INVALID_SIGNATURE: "A call presents a signature that its target rejects.",
  INVALID_SIGNER: "A call presents a signature of the wrong account.",
  JUPITER_INVALID_TOKEN_ACCOUNT: "The aggregator Jupiter rejects a token account of the swap.",
  MANUAL_ADMIN_REFUND: "The service's staff refunds the request.",
  MINT_NOT_ACTIVE: "A call mints an NFT before its sale has begun.",
  MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET: "A call mints more NFTs than a wallet may.",
  MINT_QUANTITY_EXCEEDS_MAX_SUPPLY: "A call mints more NFTs than there are.",
  NEGATIVE_NEW_AMOUNT_AFTER_FEES: "The fees at the fill take all of the output.",
  NEW_CALLDATA_INCLUDES_HIGHER_RENT_FEE: "The swap built anew for the fill costs more rent.",
  NO_INTERNAL_SWAP_ROUTES_FOUND: "The solver's own routes to the output are gone at the fill.",
  NO_QUOTES: "No source quotes the fill's swap.",
  ORDER_ALREADY_FILLED: "A call fills an order of a marketplace that is filled already.",
  ORDER_IS_CANCELLED: "A call fills a cancelled order of a marketplace.",
  ORIGIN_CURRENCY_MISMATCH: "The deposit's currency differs from the quote's.",
  REVERSE_SWAP_FAILED: "The swap back of a refund fails.",
  SEAPORT_INEXACT_FRACTION: "A call fills a fraction of a Seaport order that does not come out even.",
  SEAPORT_INVALID_FULFILLER: "A call fills a Seaport order that is for another account.",
  SWAP_IMPACT_TOO_HIGH: "The fill's swap moves its pool too far.",
  SWAP_USES_TOO_MUCH_GAS: "The fill's swap takes too much gas.",
  TOKEN_NOT_TRANSFERABLE: "A call moves a token that cannot be transferred.",
  TRANSACTION_NOT_INCLUDED: "No block includes the fill in time.",
  TRANSACTION_SUBMISSION_FAILED: "The node of the destination rejects the fill.",
  TRANSACTION_TOO_LARGE: "The fill is larger than a transaction of the SVM chain may be.",
  UNKNOWN: "The fill fails for an unknown reason.",
  ZERO_SELL_AMOUNT: "A swap of the fill sells nothing.",
};

function forced(failReason: Reason, sentence: string): RequestScene {
  return {
    cause: "injected",
    play: async (scenario) => {
      const { control } = scenario;
      const quote = await quoteOf(scenario);
      const { requestId } = idsOf(quote);
      const { id } = await control.faults.add({
        details: sentence,
        failReason,
        kind: "fill-fails",
        requestId,
      });
      scenario.onEnd(() => control.faults.remove(id));
      return pay(scenario, quote);
    },
    sentence,
    status: "refund",
  };
}

const injectedScenes = Object.fromEntries(
  Object.entries(injected).map(([reason, sentence]) => [reason, forced(reason as Reason, sentence)]),
) as Record<keyof typeof injected, RequestScene>;

/** One scene for each reason of a failed request. A new reason without one does not compile. */
export const failReasonScenes: Readonly<Record<Reason, RequestScene>> = { ...real, ...injectedScenes };
