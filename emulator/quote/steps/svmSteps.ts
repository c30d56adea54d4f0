import type { Instruction, Address as SvmAddress } from "@solana/kit";
import type { Address, Hex } from "viem";
import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import type { EvmTransactionData, Step } from "../../../src/schema/quote/step.ts";
import type { SvmTransactionData } from "../../../src/svm/SvmTransaction.ts";
import { accountText } from "../../chains/accountText.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import { leastSwept } from "../../chains/svm/svmDepositKey.ts";
import { svmParts } from "../../chains/svm/svmParts.ts";
import { paymentInstructions } from "../../chains/svm/svmPayment.ts";
import type { Place } from "../../context/places.ts";
import { QuoteError } from "../../errors/QuoteError.ts";
import type { DepositAddressTerms } from "../../requests/Intent.ts";
import { parseAccount } from "../request/parseAccount.ts";
import type { PricedIntent } from "../route/PricedRoute.ts";
import { checkOf } from "./buildSteps.ts";

const computeBudgetProgram = "ComputeBudget111111111111111111111111111111";
/** Compute units of a deposit that opens the solver's token account, rounded up. */
const depositUnits = 60_000;

type SvmDeposit = {
  readonly orderId: Hex;
  readonly requestId: Hex;
  readonly depositAddress: DepositAddressTerms | undefined;
  readonly request: Pick<QuoteRequest, "depositFeePayer" | "includeComputeUnitLimit">;
};

/**
 * The step of a deposit on the SVM chain: a transfer to the solver whose memo is the orderId, or a plain one to the deposit
 * address.
 *
 * @throws QuoteError `AMOUNT_TOO_LOW` for fewer lamports than a deposit address can hold.
 * @throws QuoteError `INVALID_ADDRESS` if the user is the solver, or the fee payer has no SVM address.
 */
export async function svmSteps(
  { amounts, read }: PricedIntent<Place>,
  { depositAddress, orderId, request, requestId }: SvmDeposit,
  chain: SvmChain,
): Promise<readonly Step[]> {
  const { packages } = svmParts(chain);
  const { kit } = packages;
  if (read.user === chain.solver) throw new QuoteError("INVALID_ADDRESS", "The solver cannot pay itself");
  const signerOf = (account: Address) => kit.createNoopSigner(kit.address(accountText(account)));
  const payer =
    request.depositFeePayer === undefined
      ? read.user
      : parseAccount(chain, request.depositFeePayer, "INVALID_ADDRESS", "depositFeePayer");
  const { address, decimals } = read.currencyIn;
  if (depositAddress !== undefined && amounts.amountIn < leastSwept(read.currencyIn)) {
    throw new QuoteError(
      "AMOUNT_TOO_LOW",
      "The SVM chain keeps no account with less than its rent exemption",
    );
  }
  const payment = {
    amount: amounts.amountIn,
    currency: { address: accountText(address), decimals },
    from: signerOf(read.user),
    memo: depositAddress === undefined ? orderId : undefined,
    payer: signerOf(payer),
    to: accountText(depositAddress?.address ?? chain.solver),
  };
  const instructions = [
    ...(request.includeComputeUnitLimit === true ? [unitLimit(kit.address(computeBudgetProgram))] : []),
    ...(await paymentInstructions(payment, packages)),
  ];
  // The schema lets data of other chains pass, and its type has those of EVM chains alone.
  const data: SvmTransactionData = {
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
  return [
    {
      action: "Confirm transaction in your wallet",
      depositAddress: depositAddress === undefined ? "" : accountText(depositAddress.address),
      description:
        depositAddress === undefined
          ? `Deposit ${read.currencyIn.symbol} to the service`
          : `Send ${read.currencyIn.symbol} to the deposit address`,
      id: "deposit",
      items: [
        { check: checkOf(requestId), data: data as unknown as EvmTransactionData, status: "incomplete" },
      ],
      kind: "transaction",
      requestId,
    },
  ];
}

/** Limits the compute units, so that a price per unit would be paid for these alone. */
function unitLimit(programAddress: SvmAddress): Instruction {
  const data = Buffer.alloc(5);
  data.writeUInt8(2);
  data.writeUInt32LE(depositUnits, 1);
  return { accounts: [], data: Uint8Array.from(data), programAddress };
}
