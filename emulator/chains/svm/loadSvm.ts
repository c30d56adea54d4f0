import { BaseError } from "../../../src/errors/BaseError.ts";

/** The packages of an SVM chain. They load in about 0.15 seconds, and only when an SVM chain is asked for. */
export type SvmPackages = {
  readonly kit: typeof import("@solana/kit");
  readonly litesvm: typeof import("litesvm");
  readonly system: typeof import("@solana-program/system");
  readonly token: typeof import("@solana-program/token");
};

const packageName = "litesvm";

let loaded: Promise<SvmPackages> | undefined;

/** Loads the packages of an SVM chain, once per process. The others are dependencies of `litesvm`. */
export function loadSvm(): Promise<SvmPackages> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<SvmPackages> {
  try {
    const [kit, litesvm, system, token] = await Promise.all([
      import("@solana/kit"),
      import("litesvm"),
      import("@solana-program/system"),
      import("@solana-program/token"),
    ]);
    return { kit, litesvm, system, token };
  } catch (cause) {
    loaded = undefined;
    if (cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND") {
      throw new SvmPackageMissingError({ cause });
    }
    throw cause;
  }
}

/** The emulator was asked for an SVM chain, and `litesvm` is not installed. */
class SvmPackageMissingError extends BaseError {
  override readonly name = "SvmPackageMissingError";

  constructor({ cause }: { cause: unknown }) {
    super(`An SVM chain needs the package \`${packageName}\`: run \`npm install ${packageName}\`.`, {
      cause,
      code: "SVM_PACKAGE_MISSING",
    });
  }
}
