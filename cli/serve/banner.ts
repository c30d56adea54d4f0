import type { EmulatorInfo } from "../../emulator/index.ts";

type Chain = EmulatorInfo["chains"][number];

/** Describes a started emulator: accounts with their public keys of the test mnemonic, chains, addresses and URLs. */
export function bannerOf(info: EmulatorInfo): string {
  const [first] = info.chains;
  return [
    "Accounts, of the public test mnemonic: the same on every chain",
    ...(first?.accounts ?? []).map(({ address, privateKey }, i) => `(${i}) ${address}  ${privateKey}`),
    ...info.chains.flatMap((chain) => ["", `Chain ${chain.id}, ${chain.name}`, ...chainLines(chain)]),
    "",
    "Service",
    ...serviceLines(info),
    "Ready. Stop with Ctrl-C.",
    "",
  ].join("\n");
}

function chainLines({ contracts, currencies, rpcUrl }: Chain): string[] {
  return [
    row("RPC", rpcUrl),
    ...Object.entries(contracts).flatMap(([name, value]) =>
      typeof value === "string"
        ? [row(name, value)]
        : Object.entries(value ?? {}).map(([inner, address]) => row(`${name}.${inner}`, String(address))),
    ),
    ...currencies.map(({ address, decimals, symbol }) => row(symbol, `${address}  ${decimals} decimals`)),
  ];
}

function serviceLines({ apiUrl, chains, consoleUrl, perps, solver, svm, wsUrl }: EmulatorInfo): string[] {
  return [
    row("API", apiUrl),
    row("stream", wsUrl),
    row("console", consoleUrl),
    row("docs", `${apiUrl}/docs`),
    ...(perps === undefined ? [] : [row("perps", `${perps.apiUrl} (chain ${perps.chainId})`)]),
    ...(svm === undefined ? [] : [row("svm", `${svm.rpcUrl} (chain ${svm.chainId})`)]),
    row("solver", solver),
    row("chains", chains.map(({ id }) => id).join(" ")),
    // Keys of the API are secrets: they are written to the file of `--out`.
    row("keys", "in what --out and --json write"),
  ];
}

function row(name: string, value: string): string {
  return `  ${name.padEnd(18)} ${value}`;
}
