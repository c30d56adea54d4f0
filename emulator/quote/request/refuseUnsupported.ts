import type { QuoteRequest } from "../../../src/schema/quoteRequest.ts";
import { QuoteError } from "../../errors/QuoteError.ts";

/** What a request may not ask for: each would change what happens, and nothing here does it. */
const unsupported: Readonly<Partial<Record<keyof QuoteRequest, (request: QuoteRequest) => boolean>>> = {
  authorizationList: ({ authorizationList = [] }) => authorizationList.length > 0,
  fixedRate: ({ fixedRate }) => fixedRate !== undefined,
  forceSolverExecution: ({ forceSolverExecution }) => forceSolverExecution === true,
  gasLimitForDepositSpecifiedTxs: ({ gasLimitForDepositSpecifiedTxs }) =>
    gasLimitForDepositSpecifiedTxs !== undefined,
  maxSubsidizationAmount: ({ maxSubsidizationAmount }) => BigInt(maxSubsidizationAmount ?? 0) > 0n,
  originGasOverhead: ({ originGasOverhead = 0 }) => originGasOverhead > 0,
  recoveryAddress: ({ recoveryAddress }) => recoveryAddress !== undefined,
  sponsoredFeeComponents: ({ sponsoredFeeComponents = [] }) => sponsoredFeeComponents.length > 0,
  subsidizeFees: ({ subsidizeFees }) => subsidizeFees === true,
  topupGas: ({ topupGas }) => topupGas === true,
  topupGasAmount: ({ topupGasAmount }) => BigInt(topupGasAmount ?? 0) > 0n,
  useDepositAddress: ({ useDepositAddress }) => useDepositAddress === true,
};

/**
 * Refuses what is part of the interface and cannot be done here, rather than doing something else than was asked.
 *
 * @throws QuoteError `UNSUPPORTED_EXECUTION_TYPE`, naming the parameter; `EXTRA_TXS_NOT_SUPPORTED` or
 * `INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS` for what no service could do.
 */
export function refuseUnsupported(request: QuoteRequest): void {
  refuseContradictions(request);
  for (const [name, isAsked] of Object.entries(unsupported)) {
    if (isAsked(request)) {
      throw new QuoteError("UNSUPPORTED_EXECUTION_TYPE", `\`${name}\` is not supported`);
    }
  }
}

/** Whether requests may carry a parameter with an effect. */
export function isSupported(parameter: keyof QuoteRequest): boolean {
  return !Object.hasOwn(unsupported, parameter);
}

function refuseContradictions({ gasLimitForDepositSpecifiedTxs, txs = [], useDepositAddress }: QuoteRequest) {
  if (useDepositAddress === true && txs.length > 0) {
    throw new QuoteError("EXTRA_TXS_NOT_SUPPORTED", "Payments to a deposit address make no calls");
  }
  if (gasLimitForDepositSpecifiedTxs === 0) {
    throw new QuoteError(
      "INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS",
      "`gasLimitForDepositSpecifiedTxs` is zero, and no call takes that little",
    );
  }
}
