import type { Address, LocalAccount, PublicClient } from "viem";
import type { TrustRoots } from "../../src/calls/verify/TrustRoots.ts";
import type { Service } from "../settings/openService.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import type { ExecuteOptions } from "./ExecuteOptions.ts";
import type { Currency } from "./resolveCurrency.ts";

/** What a run needs besides the quote. */
export type Stage = {
  readonly account: Address;
  readonly destination: PublicClient;
  readonly from: Currency;
  readonly options: ExecuteOptions;
  readonly origin: PublicClient;
  readonly service: Service;
  /** Absent in a dry run by `--user` alone. */
  readonly signer: LocalAccount | undefined;
  readonly terminal: Terminal;
  readonly to: Currency;
  readonly trust: TrustRoots;
};
