import { expect } from "chai";
import { InvalidParameterError } from "../../../../src/errors/InvalidParameterError.ts";

/** Expects an `InvalidParameterError` that blames `parameter`, and returns it. */
export function expectInvalid(
  act: () => unknown,
  parameter: string,
  message?: string,
): InvalidParameterError {
  const error = errorOf(act, message ?? parameter);
  expect(error, message).to.be.instanceOf(InvalidParameterError);
  expect((error as InvalidParameterError).parameter, message).to.equal(parameter);
  return error as InvalidParameterError;
}

/** Returns the error of `act`. */
function errorOf(act: () => unknown, message: string): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error(`nothing was thrown: ${message}`);
}
