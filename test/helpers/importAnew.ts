/** Evaluates a module again within a test, so that Stryker meets the mutants of its constants there. */
export function importAnew<Module>(path: string, from: string): Promise<Module> {
  return import(`${new URL(path, from).href}?${performance.now()}`);
}
