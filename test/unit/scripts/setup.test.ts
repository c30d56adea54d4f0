import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";

const repository = join(import.meta.dirname, "..", "..", "..");
const manifest = { devDependencies: { node: "24.9.0", edr: "1.0.0" } };
const lockfile = {
  packages: {
    "": manifest,
    "node_modules/edr": { version: "1.0.0" },
    "node_modules/edr-elsewhere": { version: "1.0.0", optional: true },
  },
};

/** A folder with only the set-up script, and a PATH with the test's `npm`. */
class Clone {
  readonly folder = mkdtempSync(join(tmpdir(), "waybill-setup-"));

  constructor() {
    mkdirSync(join(this.folder, "scripts"));
    mkdirSync(join(this.folder, "bin"));
    cpSync(join(repository, "scripts", "setup.mjs"), join(this.folder, "scripts", "setup.mjs"));
    symlinkSync(process.execPath, join(this.folder, "bin", "node"));
    this.write("package.json", manifest);
    this.write("package-lock.json", lockfile);
  }

  write(path: string, content: unknown): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), JSON.stringify(content));
  }

  /** Creates the files of a complete install that the set-up checks. */
  install(): void {
    this.write("node_modules/.package-lock.json", { packages: { "node_modules/edr": { version: "1.0.0" } } });
    const binding = `edr-${process.platform}-${process.arch}`;
    mkdirSync(join(this.folder, "node_modules", "@nomicfoundation", binding), { recursive: true });
    mkdirSync(join(this.folder, "node_modules", "node", "bin"), { recursive: true });
    symlinkSync(process.execPath, join(this.folder, "node_modules", "node", "bin", "node"));
  }

  npm(script: string): void {
    const path = join(this.folder, "bin", "npm");
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }

  setup(): Promise<{ code: number | null; output: string }> {
    return new Promise((resolve, reject) => {
      const env = { PATH: `${join(this.folder, "bin")}:/usr/bin:/bin` };
      const child = spawn(process.execPath, [join(this.folder, "scripts", "setup.mjs")], { env });
      let output = "";
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
      });
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, output }));
    });
  }
}

describe("the set-up script", () => {
  let clone: Clone;

  beforeEach(() => {
    clone = new Clone();
  });

  afterEach(() => {
    rmSync(clone.folder, { recursive: true, force: true });
  });

  it("does and says nothing when there is nothing to do", async () => {
    clone.install();
    clone.npm("echo npm was called >&2; exit 1");
    expect(await clone.setup()).to.deep.equal({ code: 0, output: "" });
  });

  it("says why it installs, and passes on the exit code and the words of npm", async () => {
    clone.npm("echo npm error code EBROKEN >&2; exit 7");
    const { code, output } = await clone.setup();
    expect(code).to.equal(7);
    expect(output).to.contain("installing the dependencies (node_modules is missing)");
    expect(output).to.contain("npm error code EBROKEN");
    expect(output).to.contain("npm ci failed with exit code 7");
  });

  it("installs again when a package differs from the lockfile", async () => {
    clone.install();
    clone.write("node_modules/.package-lock.json", {
      packages: { "node_modules/edr": { version: "0.9.0" } },
    });
    clone.npm("exit 7");
    expect((await clone.setup()).output).to.contain("edr differs from package-lock.json");
  });

  it("installs again when Hardhat's native binding is missing", async () => {
    clone.install();
    rmSync(join(clone.folder, "node_modules", "@nomicfoundation"), { recursive: true });
    clone.npm("exit 7");
    expect((await clone.setup()).output).to.contain("native binding");
  });

  it("complains when an install that succeeded left something out", async () => {
    clone.npm("mkdir -p node_modules; exit 0");
    const { code, output } = await clone.setup();
    expect(code).to.equal(1);
    expect(output).to.contain("the install finished, yet");
  });
});
