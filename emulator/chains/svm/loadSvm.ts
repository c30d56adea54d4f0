import { createRequire } from "node:module";
import { BaseError } from "../../../src/errors/BaseError.ts";

/** The packages of an SVM chain. They load in about 0.15 seconds, and only when an SVM chain is asked for. */
export type SvmPackages = {
  readonly kit: typeof import("@solana/kit");
  readonly litesvm: typeof import("litesvm");
  readonly system: typeof import("@solana-program/system");
  readonly token: typeof import("@solana-program/token");
};

const packageName = "litesvm";

let loaded: SvmPackages | undefined;

/**
 * Loads the packages of an SVM chain, once per process. The others are taken where `litesvm` has them, as its dependencies: a
 * project may have another version of its own, or, by its package manager, none that this file would find.
 */
export async function loadSvm(): Promise<SvmPackages> {
  loaded ??= load();
  return loaded;
}

function load(): SvmPackages {
  const own = createRequire(import.meta.url);
  try {
    const its = createRequire(own.resolve(packageName));
    return {
      kit: its("@solana/kit"),
      litesvm: own(packageName),
      system: its("@solana-program/system"),
      token: its("@solana-program/token"),
    };
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "MODULE_NOT_FOUND") {
      throw new SvmPackageMissingError({ cause });
    }
    throw cause;
  }
}

/** The emulator was asked for an SVM chain, and `litesvm` or what it depends on is not installed. */
class SvmPackageMissingError extends BaseError {
  override readonly name = "SvmPackageMissingError";

  constructor({ cause }: { cause: Error }) {
    const missing = /'([^']+)'/.exec(cause.message)?.[1] ?? packageName;
    super(`An SVM chain needs the package \`${missing}\`: run \`npm install ${packageName}\`.`, {
      cause,
      code: "SVM_PACKAGE_MISSING",
    });
  }
}
