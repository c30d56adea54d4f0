/** A page for each module that the packages export, with every export: its sentences, signature and example. */

import { slugOf } from "../../checks/docsLinks.ts";
import type { EntryPoint, Export } from "../../checks/entryPoints.ts";
import type { SourceFile } from "../../checks/Problem.ts";
import { block, page, prose } from "./page.ts";

export function renderLibrary(entries: readonly EntryPoint[], repository: string): SourceFile[] {
  // Several modules export the same error: one page describes it.
  const described = new Map<string, string>();
  return entries.map(({ exports, specifier }, index) => {
    const file = specifier.replace("@", "").replaceAll("/", "-");
    const body = exports.flatMap((each) => {
      const key = `${each.file} ${each.name}`;
      const other = described.get(key);
      if (other !== undefined)
        return [`## ${each.name}`, "", `As in [${other}](${other}.md#${slugOf(each.name)}).`, ""];
      described.set(key, file);
      return renderExport(each, specifier, repository);
    });
    return page(`library/${file}`, `\`${specifier}\``, body, index);
  });
}

function renderExport(each: Export, specifier: string, repository: string): string[] {
  const { documentation, examples, file, kind, line, name, signature, tags } = each;
  const texts = tags.map(({ name: tag, text }) => {
    const [, parameter = "", rest = text] = tag === "param" ? (/^(\S+)\s*([\s\S]*)$/.exec(text) ?? []) : [];
    return `- ${parameter === "" ? `*${tag}*` : `\`${parameter}\``} ${prose(rest)}`;
  });
  return [
    `## ${name}`,
    "",
    `${kind} of \`${specifier}\` · [source](${repository}/blob/main/${file}#L${line})`,
    "",
    ...(documentation === "" ? [] : [prose(documentation), ""]),
    ...block("ts", signature.replaceAll("declare readonly", "readonly")),
    ...(texts.length === 0 ? [] : [...texts, ""]),
    ...examples.flatMap((code) => block("ts", code)),
  ];
}
