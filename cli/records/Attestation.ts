import type { Address, Hex } from "viem";

/** A field of a record or an order. */
export type AttestedField = {
  readonly name: string;
  readonly value: string;
  /** How it is signed. */
  readonly note: string;
  /** The signed 32 bytes, of a record. */
  readonly word?: Hex;
};

/** An explained and verified record or order. */
export type Attestation = {
  readonly what: "record" | "order";
  readonly fields: readonly AttestedField[];
  /** Hash of a record before the message prefix. */
  readonly hash?: Hex;
  /** Id computed from an order. */
  readonly orderId?: Hex;
  /** The signed digest. */
  readonly digest: Hex;
  /** `undefined` for a signature that recovers to no signer. */
  readonly signer: Address | undefined;
  /** Expected signer. */
  readonly solver: Address;
  readonly verified: boolean;
  /** Reason of a failed verification. */
  readonly reason?: string;
  /** Mistakes under which the signature is the solver's, each completing "It verifies if …". */
  readonly mistakes: readonly string[];
};
