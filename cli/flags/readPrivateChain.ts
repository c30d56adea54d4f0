import { InvalidArgumentError } from "commander";
import type { StartEmulatorParameters } from "../../emulator/index.ts";

type PrivateChains = NonNullable<StartEmulatorParameters["privateChains"]>;

/** Parses a flag `id=uuid` of a private chain, and appends it to those of earlier flags. */
export function readPrivateChain(value: string, before: PrivateChains = []): PrivateChains {
  const match = /^(\d{1,15})=([\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})$/i.exec(
    value,
  );
  const [, id, uuid] = match ?? [];
  if (id === undefined || uuid === undefined) {
    throw new InvalidArgumentError(
      "A private chain is its id and a UUID, as in 31338=0b6f1c1e-6f0a-4c55-9d6c-2f3f7f0b8a11.",
    );
  }
  return [...before, { id: Number(id), uuid }];
}
