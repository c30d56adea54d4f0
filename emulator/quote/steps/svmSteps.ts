import type { Instruction, Address as SvmAddress } from "@solana/kit";
import type { Address, Hex } from "viem";
import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import type { EvmTransactionData, Step } from "../../../src/schema/quote/step.ts";
import { svmQuoteLimit, svmTransactionLimit } from "../../../src/svm/constants.ts";
import { measureSvmTransaction } from "../../../src/svm/measureSvmTransaction.ts";
import type { SvmTransactionData } from "../../../src/svm/SvmTransaction.ts";
import { accountText } from "../../chains/accountText.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import { leastSwept, svmParts } from "../../chains/svm/svmParts.ts";
import { paymentInstructions, swappedPaymentInstructions } from "../../chains/svm/svmPayment.ts";
import type { Place } from "../../context/places.ts";
import { QuoteError } from "../../errors/refusals.ts";
import type { DepositAddressTerms } from "../../requests/Intent.ts";
import { isSwap } from "../../router/SwapLeg.ts";
import { parseAccount } from "../request/parseAccount.ts";
import type { PricedIntent } from "../route/planRoute.ts";
import { statusCheck } from "./buildSteps.ts";

const computeBudgetProgram = "ComputeBudget111111111111111111111111111111";
/** Compute units of a deposit that opens the solver's token account, rounded up. */
const depositUnits = 60_000;
/** Compute units of each hop of a swap, rounded up. */
const hopUnits = 12_000;

type SvmDeposit = {
  readonly orderId: Hex;
  readonly requestId: Hex;
  readonly depositAddress: DepositAddressTerms | undefined;
  readonly request: Pick<QuoteRequest, "depositFeePayer" | "includeComputeUnitLimit">;
};

/**
 * The step of a deposit on the SVM chain: a transfer to the solver whose memo is the orderId, after a swap if the
 * solver does not take the currency; or a plain transfer to the deposit address.
 */
export async function svmSteps(
  priced: PricedIntent<Place>,
  deposit: SvmDeposit,
  chain: SvmChain,
): Promise<readonly Step[]> {
  const { amounts, read, route } = priced;
  const { depositAddress, request, requestId } = deposit;
  if (read.user === chain.solver) throw new QuoteError("INVALID_ADDRESS", "The solver cannot pay itself");
  const payer =
    request.depositFeePayer === undefined
      ? read.user
      : parseAccount(chain, request.depositFeePayer, "INVALID_ADDRESS", "depositFeePayer");
  if (depositAddress !== undefined && amounts.amountIn < leastSwept(read.currencyIn)) {
    throw new QuoteError(
      "AMOUNT_TOO_LOW",
      "The SVM chain keeps no account with less than its rent exemption",
    );
  }
  const data = transactionData(await depositInstructions(priced, { ...deposit, payer }, chain), chain);
  if (isSwap(route.origin)) assertSendable(data, accountText(payer));
  return [
    {
      action: "Confirm transaction in your wallet",
      depositAddress: depositAddress === undefined ? "" : accountText(depositAddress.address),
      description: describeDeposit(priced, depositAddress !== undefined),
      id: "deposit",
      items: [
        // The schema lets data of other chains pass, and its type has those of EVM chains alone.
        { check: statusCheck(requestId), data: data as unknown as EvmTransactionData, status: "incomplete" },
      ],
      kind: "transaction",
      requestId,
    },
  ];
}

async function depositInstructions(
  priced: PricedIntent<Place>,
  { depositAddress, orderId, payer, request }: SvmDeposit & { readonly payer: Address },
  chain: SvmChain,
): Promise<readonly Instruction[]> {
  const { amounts, read, route } = priced;
  const { packages } = svmParts(chain);
  const { kit } = packages;
  const signerOf = (account: Address) => kit.createNoopSigner(kit.address(accountText(account)));
  const parts = {
    from: signerOf(read.user),
    memo: depositAddress === undefined ? orderId : undefined,
    payer: signerOf(payer),
    to: accountText(depositAddress?.address ?? chain.solver),
  };
  const { address, decimals } = read.currencyIn;
  const currency = { address: accountText(address), decimals };
  const payment = isSwap(route.origin)
    ? await swappedPaymentInstructions({ ...parts, ...originSwap(priced) }, svmParts(chain))
    : await paymentInstructions({ ...parts, amount: amounts.amountIn, currency }, packages);
  if (request.includeComputeUnitLimit !== true) return payment;
  const units = depositUnits + route.origin.pools.length * hopUnits;
  return [unitLimit(kit.address(computeBudgetProgram), units), ...payment];
}

function transactionData(instructions: readonly Instruction[], chain: SvmChain): SvmTransactionData {
  const { kit } = svmParts(chain).packages;
  return {
    addressLookupTableAddresses: [],
    instructions: instructions.map(({ accounts: metas = [], data: bytes, programAddress }) => ({
      data: Buffer.from(bytes ?? []).toString("hex"),
      keys: metas.map(({ address, role }) => ({
        isSigner: kit.isSignerRole(role),
        isWritable: kit.isWritableRole(role),
        pubkey: address,
      })),
      programId: programAddress,
    })),
  };
}

function describeDeposit({ read, route }: PricedIntent<Place>, isAddress: boolean): string {
  const { symbol } = read.currencyIn;
  if (isAddress) return `Send ${symbol} to the deposit address`;
  return isSwap(route.origin)
    ? `Swap ${symbol} and deposit ${route.origin.to.symbol} to the service`
    : `Deposit ${symbol} to the service`;
}

/** The swap before a deposit. The pools must give the whole deposit of an exact output. */
function originSwap({ amounts, read, route }: PricedIntent<Place>) {
  const { amountIn, deposit, minimumDeposit } = amounts;
  return {
    amounts:
      read.tradeType === "EXACT_OUTPUT"
        ? { atMost: amountIn, buys: deposit }
        : { atLeast: minimumDeposit, sells: amountIn },
    path: route.origin.path.map((currency) => accountText(currency.address)),
  };
}

/** The transaction must leave room for the compute-budget instructions that wallets add. */
function assertSendable(data: SvmTransactionData, payer: string): void {
  const { maximum } = measureSvmTransaction({ data, payer });
  const size = maximum + svmTransactionLimit - svmQuoteLimit;
  if (maximum <= svmQuoteLimit) return;
  throw new QuoteError(
    "SOLANA_TX_TOO_LARGE",
    `Generated Solana transaction is ${size} bytes, ${size - svmTransactionLimit} over Solana's ${svmTransactionLimit} byte limit, so it cannot be signed or broadcast.`,
  );
}

/** Limits the compute units, so that a price per unit would be paid for these alone. */
function unitLimit(programAddress: SvmAddress, units: number): Instruction {
  const data = Buffer.alloc(5);
  data.writeUInt8(2);
  data.writeUInt32LE(units, 1);
  return { accounts: [], data: Uint8Array.from(data), programAddress };
}
