import { statSync } from "node:fs";
import { resolve } from "node:path";
import { privateKeyToAccount } from "viem/accounts";
import type { Service } from "../settings/openService.ts";
import { readSecret } from "../settings/readSecret.ts";
import type { SecretSource } from "../settings/WaybillConfig.ts";
import { describeFailure } from "../terminal/describeFailure.ts";
import { type Finding, fail, ok, warn } from "./Finding.ts";

const variables = {
  adminKey: "WAYBILL_ADMIN_KEY",
  apiKey: "WAYBILL_API_KEY",
  privateKey: "WAYBILL_PRIVATE_KEY",
} as const;

/** Checks the sources of keys, their form, and who can read their files. No finding has a key. */
export function checkKeys(service: Pick<Service, "config" | "folder" | "privateKey">): readonly Finding[] {
  const { config, folder } = service;
  return Object.entries(variables).flatMap(([name, variable]) => {
    const named = config[name as keyof typeof variables];
    const source: SecretSource | undefined = process.env[variable] === undefined ? named : { env: variable };
    if (source === undefined) return [];
    try {
      const key = readSecret(source, folder, name);
      const isPrivate = name === "privateKey";
      if (!isPrivate && !/^[\x21-\x7e]+$/.test(key)) {
        return [
          fail(name, "it has white space or other characters", "save it as one line of printable characters"),
        ];
      }
      const said = isPrivate ? `of ${privateKeyToAccount(service.privateKey()).address}` : "readable";
      return [ok(name, said), ...modeOf(name, source, folder)];
    } catch (error) {
      return [fail(name, describeFailure(error).message, "name a variable or file that has it")];
    }
  });
}

function modeOf(name: string, source: SecretSource, folder: string): readonly Finding[] {
  if (!("file" in source) || process.platform === "win32") return [];
  const file = resolve(folder, source.file);
  if ((statSync(file).mode & 0o077) === 0) return [];
  return [warn(name, `other users can read ${source.file}`, `chmod 600 ${file}`)];
}
