/** Allowed imports of each folder within its part, from low to high; each lists lower folders only. */
type Layers = Readonly<Record<string, readonly string[]>>;

const LIBRARY: Layers = {
  errors: [],
  internal: ["errors"],
  abi: ["errors", "internal"],
  deployment: ["errors", "internal", "abi"],
  schema: ["errors", "internal"],
  records: ["errors", "internal", "schema"],
  webhooks: ["errors", "internal", "records", "schema"],
  svm: ["errors", "internal", "records", "schema"],
  calls: ["errors", "internal", "abi", "records", "schema"],
  perps: ["errors", "internal", "abi", "records", "schema", "calls"],
  prove: ["errors", "internal", "schema", "calls"],
  client: ["errors", "internal", "abi", "records", "schema", "calls"],
  track: ["errors", "internal", "abi", "records", "schema", "calls", "client"],
  // Execution tracks the request at the end.
  execute: ["errors", "internal", "abi", "records", "schema", "calls", "client", "track"],
  // Both hold one payment an order in the process's ledger.
  guard: ["errors", "internal", "records", "schema", "calls", "perps", "execute"],
};

/**
 * Folders of the emulator, from low to high: each may import those before it. The files next to them start the emulator and may
 * import every folder.
 */
const EMULATOR = [
  ...["log", "access", "errors", "store", "keys", "money", "chains", "perps", "context", "currencies"],
  ...["requests", "router", "quote", "solver", "events", "activity", "websocket", "webhooks", "control"],
  ...["scenarios", "recording", "http"],
];

/** Folders of the console, from low to high; the files next to them compose the views. */
const CONSOLE: Layers = { data: [], parts: ["data"], views: ["data", "parts"] };

export const LAYERS: Readonly<Record<string, Layers>> = {
  console: CONSOLE,
  emulator: Object.fromEntries(EMULATOR.map((folder, i) => [folder, EMULATOR.slice(0, i)])),
  src: LIBRARY,
};

/** Allowed imports between parts of the repository. Unlisted parts may import anything. */
export const PARTS: Layers = {
  src: [],
  // The console meets the emulator over HTTP alone. Its build reads a page of the guide.
  console: ["src", "docs"],
  emulator: ["src", "artifacts"],
  testing: ["src", "emulator"],
  hardhat: ["src", "emulator", "testing"],
  cli: ["src", "emulator", "ignition"],
};
