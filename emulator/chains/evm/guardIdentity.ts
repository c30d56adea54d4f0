import type { Hex } from "viem";
import { BaseError } from "../../../src/errors/BaseError.ts";
import type { LogEntry } from "../../log/LogEntry.ts";
import type { ChainDefinition } from "../chainDefinitions.ts";
import { headSchema, quantitySchema, type Rpc } from "../rpc.ts";
import { isTransportError } from "./httpRpc.ts";

/** Interval in milliseconds at which a replaced chain is looked for again. */
const recheckMs = 1_000;

/** A node that now serves another chain than at the start. */
export class ChainReplacedError extends BaseError {
  override readonly name = "ChainReplacedError";
  readonly chainId: number;

  constructor({ id, name }: Pick<ChainDefinition, "id" | "name">, found: Identity, expected: Identity) {
    super(`The node of ${name} (chain ${id}) is one of another chain now`, {
      code: "CHAIN_REPLACED",
      metaMessages: [`found: ${textOf(found)}`, `expected: ${textOf(expected)}`],
      retryable: true,
    });
    this.chainId = id;
  }
}

/** The `ChainReplacedError` among the causes of an error, if any. */
export function chainReplacedIn(error: unknown): ChainReplacedError | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof ChainReplacedError) return current;
  }
  return undefined;
}

/** Whether a call failed for lack of the right node, so that the failure says nothing about the chain. */
export function isAboutNode(error: unknown): boolean {
  return isTransportError(error) || chainReplacedIn(error) !== undefined;
}

/** Identity of a chain: its id and the hash of its first block. */
type Identity = { readonly chainId: bigint; readonly genesisHash: Hex };

/** A node whose chain identity is checked while it is used. */
type GuardedRpc = {
  /** @throws ChainReplacedError before a call could act on the wrong chain. */
  readonly rpc: Rpc;
  /** Checks the identity at once. */
  confirm(): Promise<void>;
  /** Makes the next call check the identity first, after a lost connection or a block that does not extend the last one. */
  suspect(): void;
};

/** Remembers the chain that a node serves, and refuses all calls while it serves another. Each change is logged once. */
export async function guardIdentity(
  node: Rpc,
  definition: Pick<ChainDefinition, "id" | "name">,
  log: (entry: LogEntry) => void,
): Promise<GuardedRpc> {
  const expected = await identityOf(node);
  let isSuspect = false;
  let replaced: { readonly error: ChainReplacedError; readonly at: number } | undefined;
  let checking: Promise<void> | undefined;
  const check = async () => {
    // A suspicion raised during this check needs another check.
    isSuspect = false;
    const found = await identityOf(node).catch((error: unknown) => {
      isSuspect = true;
      throw error;
    });
    const isSame = found.chainId === expected.chainId && found.genesisHash === expected.genesisHash;
    if (isSame) {
      if (replaced !== undefined) log({ level: "info", message: `${definition.name} is back` });
      replaced = undefined;
      return;
    }
    const error = new ChainReplacedError(definition, found, expected);
    if (replaced === undefined) {
      const message = `${error.shortMessage} (${error.metaMessages.join("; ")})`;
      log({ level: "error", message });
    }
    replaced = { at: performance.now(), error };
    throw error;
  };
  const confirm = () => {
    checking ??= check().finally(() => {
      checking = undefined;
    });
    return checking;
  };
  return {
    confirm,
    rpc: async (method, params) => {
      if (replaced !== undefined && performance.now() - replaced.at < recheckMs) throw replaced.error;
      if (isSuspect || replaced !== undefined || checking !== undefined) await confirm();
      try {
        return await node(method, params);
      } catch (error) {
        if (isTransportError(error)) isSuspect = true;
        throw error;
      }
    },
    suspect: () => {
      isSuspect = true;
    },
  };
}

async function identityOf(node: Rpc): Promise<Identity> {
  const [chainId, genesis] = await Promise.all([
    node("eth_chainId"),
    node("eth_getBlockByNumber", ["0x0", false]),
  ]);
  return { chainId: quantitySchema.parse(chainId), genesisHash: headSchema.parse(genesis).hash };
}

function textOf({ chainId, genesisHash }: Identity): string {
  return `chain ${chainId}, genesis ${genesisHash}`;
}
