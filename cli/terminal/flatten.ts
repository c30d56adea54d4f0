/** All values of a record or list with their paths, such as `solvers.0.nativePayee`. An empty list is `none`. */
export function flatten(value: unknown, path = ""): readonly (readonly [path: string, text: string])[] {
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null) return [[path, String(value)]];
  if (Array.isArray(value) && value.length === 0) return [[path, "none"]];
  return Object.entries(value).flatMap(([name, each]) =>
    flatten(each, path === "" ? name : `${path}.${name}`),
  );
}
