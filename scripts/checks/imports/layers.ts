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

/** Folders of the emulator. The files next to them start it and may import every folder. */
const EMULATOR: Layers = {
  log: [],
  access: [],
  errors: [],
  store: [],
  keys: ["log", "store"],
  money: ["errors", "store"],
  chains: ["log", "access", "store", "money"],
  perps: ["store", "chains"],
  context: ["log", "store", "keys", "money", "chains", "perps"],
  currencies: ["money", "chains", "perps", "context"],
  requests: ["store", "money", "chains", "perps", "context", "currencies"],
  router: ["errors", "money", "chains", "context", "requests"],
  quote: [
    "errors",
    "store",
    "keys",
    "money",
    "chains",
    "perps",
    "context",
    "currencies",
    "requests",
    "router",
  ],
  solver: [
    "log",
    "errors",
    "store",
    "money",
    "chains",
    "perps",
    "context",
    "currencies",
    "requests",
    "router",
    "quote",
  ],
  events: ["store", "context"],
  activity: ["store", "context", "requests", "events"],
  websocket: ["access", "store", "keys", "context", "requests", "events"],
  webhooks: ["errors", "store", "context", "requests", "events"],
  control: ["errors", "store", "keys", "money", "chains", "perps", "context", "currencies"],
  scenarios: ["errors", "store", "money", "chains", "context", "quote", "control"],
  recording: ["errors", "store", "chains", "context"],
  http: [
    "access",
    "errors",
    "store",
    "keys",
    "money",
    "chains",
    "perps",
    "context",
    "currencies",
    "requests",
    "quote",
    "solver",
    "websocket",
    "webhooks",
    "control",
    "scenarios",
  ],
};

export const LAYERS: Readonly<Record<string, Layers>> = { src: LIBRARY, emulator: EMULATOR };

/** Allowed imports between parts of the repository. Unlisted parts may import anything. */
export const PARTS: Layers = {
  src: [],
  emulator: ["src", "artifacts"],
  testing: ["src", "emulator"],
  hardhat: ["src", "emulator", "testing"],
  cli: ["src", "emulator", "ignition"],
};
