/**
 * Rule: package-lock.json lists every optional package that a locked package names, for every platform, and no registry's
 * address.
 *
 * npm omits packages of other platforms when it writes a lockfile next to an existing node_modules, or from an incomplete
 * registry. `npm ci` then rejects the lockfile, or omits native bindings elsewhere. `completeLockfile` adds the missing
 * entries.
 */
import type { Problem } from "./Problem.ts";

export type LockedPackage = {
  version?: string;
  resolved?: string;
  license?: string;
  integrity?: string;
  /** Of a package of this repository. */
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  dev?: boolean;
  optional?: boolean;
  cpu?: string[];
  os?: string[];
  libc?: string[];
};

export type Lockfile = { packages: Record<string, LockedPackage> };

type MissingPackage = { parent: string; name: string; range: string };

const SYSTEMS = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const PROCESSORS = ["arm", "arm64", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "x64"];

/** Finds a package as Node does: in the parent's own node_modules, or else in the next one above it. */
export function findLocked({ packages }: Lockfile, parent: string, name: string): string | undefined {
  const parts = parent === "" ? [] : parent.split("/node_modules/");
  return Array.from({ length: parts.length + 1 }, (_, depth) => {
    const folder = parts.slice(0, parts.length - depth).join("/node_modules/");
    return `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
  }).find((path) => packages[path] !== undefined);
}

function findMissing(lockfile: Lockfile): MissingPackage[] {
  return Object.entries(lockfile.packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => findLocked(lockfile, parent, name) === undefined)
      .map(([name, range]) => ({ parent, name, range })),
  );
}

export function checkLockfile(lockfile: Lockfile, file = "package-lock.json"): Problem[] {
  const missing = findMissing(lockfile).map(({ parent, name, range }) => ({
    file,
    message: `${parent} may need ${name}@${range} on another platform, and it is not locked`,
  }));
  const resolved = Object.entries(lockfile.packages)
    .filter(([, { resolved }]) => resolved !== undefined && /^https?:/.test(resolved))
    .map(([path]) => ({
      file,
      message: `${path} names a registry: npm install with omit-lockfile-registry-resolved=true`,
    }));
  return [...missing, ...resolved];
}

/** Platform in a native package's name, which restricts its installation. */
function platformOf(name: string): Pick<LockedPackage, "cpu" | "os" | "libc"> {
  const words = name.split(/[-./]/);
  const os = words.filter((word) => SYSTEMS.includes(word));
  const cpu = words.filter((word) => PROCESSORS.includes(word));
  const libc = os.includes("linux") ? [words.includes("musl") ? "musl" : "glibc"] : [];
  return {
    ...(cpu.length > 0 && { cpu }),
    ...(libc.length > 0 && { libc }),
    ...(os.length > 0 && { os }),
  };
}

/**
 * Adds the missing entries whose exact version the parent states.
 *
 * @returns the same lockfile with its packages in npm's order.
 */
export function completeLockfile<File extends Lockfile>(lockfile: File): File {
  const packages: Record<string, LockedPackage> = { ...lockfile.packages };
  for (const { parent, name, range } of findMissing(lockfile)) {
    if (!/^\d+\.\d+\.\d+/.test(range)) continue;
    const { dev } = lockfile.packages[parent] ?? {};
    packages[`node_modules/${name}`] = {
      version: range,
      ...platformOf(name),
      ...(dev === true && { dev }),
      optional: true,
    };
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en"));
  return { ...lockfile, packages: Object.fromEntries(sorted) };
}
