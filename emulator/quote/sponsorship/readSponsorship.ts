import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import type { Context } from "../../context/Context.ts";
import { QuoteError } from "../../errors/refusals.ts";
import type { ApiKey } from "../../keys/openApiKeys.ts";
import { isSponsor } from "../../money/sponsorLedger.ts";
import { type SponsoredComponent, sponsoredComponents } from "./allotSponsorship.ts";

/** The sponsorship that a request asks for. */
export type AskedSponsorship = {
  readonly components: ReadonlySet<SponsoredComponent>;
  /** Millionths of a dollar; `undefined` without a cap. */
  readonly cap: bigint | undefined;
  /** Whether fees above the cap are left to the user whole. */
  readonly isWhole: boolean;
};

/** Components without a list: rent is sponsored only if it is named (service facts, "Sponsorship"). */
const defaultComponents: readonly SponsoredComponent[] = ["execution", "swap", "relay", "app"];

type Sponsoring = Pick<
  QuoteRequest,
  | "subsidizeFees"
  | "sponsoredFeeComponents"
  | "maxSubsidizationAmount"
  | "subsidizeRent"
  | "useDepositAddress"
>;

export async function readSponsorship(
  request: Sponsoring,
  apiKey: Pick<ApiKey, "id"> | undefined,
  { control, store }: Pick<Context, "control" | "store">,
): Promise<AskedSponsorship | undefined> {
  const { maxSubsidizationAmount, sponsoredFeeComponents, subsidizeFees, subsidizeRent } = request;
  if (subsidizeFees !== true) {
    refuseTermsAlone(request);
    return undefined;
  }
  const components = new Set(sponsoredFeeComponents?.map(knownComponent) ?? defaultComponents);
  if (subsidizeRent === true) components.add("rent");
  if (apiKey === undefined) {
    throw new QuoteError("UNAUTHORIZED", "`subsidizeFees` needs an API key: its integrator is the sponsor");
  }
  if (!(await isSponsor(store, apiKey.id))) {
    throw new QuoteError("FORBIDDEN", "The API key has no sponsor's balance");
  }
  return {
    cap: maxSubsidizationAmount === undefined ? undefined : BigInt(maxSubsidizationAmount),
    components,
    // Deposit addresses have no partial sponsorship (page "Fee Sponsorship").
    isWhole: request.useDepositAddress === true && !control.config.get().lenient,
  };
}

function refuseTermsAlone({ maxSubsidizationAmount = "0", sponsoredFeeComponents = [] }: Sponsoring): void {
  const asked = [
    ["maxSubsidizationAmount", BigInt(maxSubsidizationAmount) > 0n],
    ["sponsoredFeeComponents", sponsoredFeeComponents.length > 0],
  ] as const;
  for (const [name, isAsked] of asked) {
    if (isAsked) throw new QuoteError("UNSUPPORTED_EXECUTION_TYPE", `\`${name}\` needs \`subsidizeFees\``);
  }
}

function knownComponent(name: string): SponsoredComponent {
  const known = sponsoredComponents.find((component) => component === name);
  if (known !== undefined) return known;
  throw new QuoteError("UNSUPPORTED_EXECUTION_TYPE", `\`sponsoredFeeComponents\` has no component ${name}`);
}
