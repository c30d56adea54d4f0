/** Gas of calls that callers had the service pay for, one row for a request. */
export type CallGasTable = {
  request_id: string;
  /** Id of the API key; empty without one. */
  caller: string;
  /** Worth of the gas in whole millionths of a dollar, as accepted. */
  micros: number;
  /** Unix milliseconds. */
  at: number;
};
