import { type Palette, replacements } from "./valueOperators.ts";

/** One change of a tree, at a path. */
export type Change = { readonly name: string; readonly apply: (root: unknown) => void };

type Keys = readonly (string | number)[];
type Container = Record<string | number, unknown>;

/** Every leaf's replacements, every field's absence, and every list's drops, doubles and new orders. */
export function treeMutations(root: unknown, palette: Palette): Change[] {
  const changes: Change[] = [];
  walk(root, [], (value, path) => {
    if (Array.isArray(value)) changes.push(...listChanges(value, path));
    else if (typeof value === "object" && value !== null) {
      for (const name of Object.keys(value)) {
        if (!name.startsWith("$")) changes.push(dropField([...path, name]));
      }
    }
    // Selectors stay: another function with these arguments would be noise.
    const last = path.at(-1);
    if (last === "$call" || last === "$selector") return;
    for (const [name, fresh] of replacements(value, palette)) {
      changes.push({
        apply: (tree) => write(tree, path, fresh),
        name: `${textOf(path)}: ${name} ${short(fresh)}`,
      });
    }
  });
  return changes;
}

/** Visits every value of a tree with its path. */
export function walk(value: unknown, path: Keys, visit: (value: unknown, path: Keys) => void): void {
  visit(value, path);
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [name, field] of Object.entries(value)) {
    walk(field, [...path, isList ? Number(name) : name], visit);
  }
}

/** Reads a value in a tree; `undefined` if there is none. */
export function read(root: unknown, path: Keys): unknown {
  return path.reduce<unknown>((value, key) => (value as Container | undefined)?.[key], root);
}

/** Replaces a value in a tree. */
export function write(root: unknown, path: Keys, fresh: unknown): void {
  const parent = read(root, path.slice(0, -1));
  const key = path.at(-1);
  if (typeof parent !== "object" || parent === null || key === undefined)
    throw new Error("nothing to change");
  (parent as Container)[key] = fresh;
}

function dropField(path: Keys): Change {
  return {
    apply: (tree) => {
      const parent = read(tree, path.slice(0, -1));
      if (typeof parent !== "object" || parent === null) throw new Error("nothing to drop");
      delete (parent as Container)[path.at(-1) ?? ""];
    },
    name: `${textOf(path)}: dropped`,
  };
}

function listChanges(list: readonly unknown[], path: Keys): Change[] {
  const change = (name: string, edit: (entries: unknown[]) => unknown): Change => ({
    apply: (tree) => {
      const entries = read(tree, path);
      if (!Array.isArray(entries)) throw new Error("nothing to edit");
      edit(entries);
    },
    name: `${textOf(path)}: ${name}`,
  });
  const each = list.flatMap((_, index) => [
    change(`entry ${index} dropped`, (entries) => entries.splice(index, 1)),
    change(`entry ${index} doubled`, (entries) => entries.splice(index, 0, structuredClone(entries[index]))),
    change(`entry ${index} repeated at the end`, (entries) => entries.push(structuredClone(entries[index]))),
  ]);
  if (list.length < 2) return list.length === 0 ? [] : each;
  return [
    ...each,
    change("reversed", (entries) => entries.reverse()),
    change("rotated", (entries) => entries.push(entries.shift())),
    change("emptied", (entries) => entries.splice(0)),
  ];
}

function textOf(path: Keys): string {
  return path.join(".");
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 48 ? `${text.slice(0, 48)}…` : text;
}
