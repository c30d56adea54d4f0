import type { QuoteRequest } from "../../src/schema/quoteRequest.ts";
import { QuoteError } from "./QuoteError.ts";

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
 * @throws QuoteError `UNSUPPORTED_EXECUTION_TYPE`, naming the parameter.
 */
export function refuseUnsupported(request: QuoteRequest): void {
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
