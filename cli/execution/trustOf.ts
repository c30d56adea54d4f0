import { productionTrust } from "../../src/calls/verify/productionTrust.ts";
import type { TrustRoots } from "../../src/calls/verify/TrustRoots.ts";
import { production } from "../../src/internal/serviceAddresses.ts";
import type { Service } from "../settings/openService.ts";
import { usageError } from "../terminal/CommandError.ts";

/**
 * Trust roots for quotes of a service: of the configuration, of an emulator's file, or of the public service. Never of the
 * service itself.
 *
 * @throws CommandError where no trusted source names contracts and solvers.
 */
export async function trustOf({ emulator, trust, url }: Service): Promise<TrustRoots> {
  if (trust !== undefined) return trust;
  if (emulator !== undefined) {
    const { trustOfEmulator } = await import("../../emulator/trustOfEmulator.ts");
    return trustOfEmulator(emulator);
  }
  if (new URL(url).origin === new URL(production.baseUrl).origin) return productionTrust;
  throw usageError(
    `No trusted source names the contracts of ${url}: use --emulator <file of --out>, or \`trust\` of the configuration.`,
  );
}
