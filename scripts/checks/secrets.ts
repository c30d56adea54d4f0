/**
 * Rule: no file contains a private key or mnemonic other than the public test mnemonic's, a credential, a registry's URL, or
 * a home folder.
 */

import { toHex } from "viem";
import { english, mnemonicToAccount } from "viem/accounts";
import { lineAt, type Problem, type SourceFile } from "./Problem.ts";

const TEST_MNEMONIC = "test test test test test test test test test test test junk";
const TEST_ACCOUNTS = 50;
const WORDS: ReadonlySet<string> = new Set(english);

type Pattern = { pattern: RegExp; message: string };

const PATTERNS: readonly Pattern[] = [
  { pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/g, message: "holds a private key in PEM form" },
  {
    pattern: /\b(?:npm_[A-Za-z0-9]{36}|gh[pousr]_[A-Za-z0-9]{36}|AKIA[0-9A-Z]{16})\b/g,
    message: "holds a credential",
  },
  { pattern: /https?:\/\/[\w.-]*\bregistry\.[\w.-]+/g, message: "names a package registry" },
  {
    pattern: /(?<![\w.])(?:\/home\/|\/Users\/|\/root\/|[A-Z]:\\Users\\)[\w.-]+/g,
    message: "names a home folder",
  },
];

/** A 32-byte value on a line that mentions keys, which excludes hashes and signatures. */
const KEY_CONTEXT = /private_?key|secret_?key|signing_?key|mnemonic|\bvm\.(?:addr|sign)\b|\bWallet\(/i;
const WORD_32_BYTES = /\b(?:0x)?[0-9a-fA-F]{64}\b/g;
const PHRASE = /["'`]((?:[a-z]{3,8} ){11,23}[a-z]{3,8})["'`]/g;

let testKeys: ReadonlySet<string> | undefined;

function keysOfTestMnemonic(): ReadonlySet<string> {
  testKeys ??= new Set(
    Array.from({ length: TEST_ACCOUNTS }, (_, addressIndex) => {
      const key = mnemonicToAccount(TEST_MNEMONIC, { addressIndex }).getHdKey().privateKey;
      return key === null ? "" : toHex(key);
    }),
  );
  return testKeys;
}

function findKeys({ path, text }: SourceFile): Problem[] {
  return text.split("\n").flatMap((line, index) => {
    if (!KEY_CONTEXT.test(line)) return [];
    const keys = (line.match(WORD_32_BYTES) ?? []).map((key) => `0x${key.replace(/^0x/, "").toLowerCase()}`);
    const unknown = keys.filter((key) => !keysOfTestMnemonic().has(key));
    const message = "holds a private key that is not one of the public test mnemonic's";
    return unknown.map(() => ({ file: path, line: index + 1, message }));
  });
}

function findMnemonics({ path, text }: SourceFile): Problem[] {
  return [...text.matchAll(PHRASE)]
    .filter(
      ([, phrase = ""]) => phrase !== TEST_MNEMONIC && phrase.split(" ").every((word) => WORDS.has(word)),
    )
    .map(({ index }) => ({
      file: path,
      line: lineAt(text, index),
      message: "holds a mnemonic that is not the public test mnemonic",
    }));
}

function findPatterns({ path, text }: SourceFile): Problem[] {
  return PATTERNS.flatMap(({ pattern, message }) =>
    [...text.matchAll(pattern)].map(({ index }) => ({ file: path, line: lineAt(text, index), message })),
  );
}

export function checkSecrets(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => [...findKeys(file), ...findMnemonics(file), ...findPatterns(file)]);
}
