import { createWallet } from "./wallet.ts";

const { accountIndex, chains } = window.settings;
window.ethereum = createWallet(chains, accountIndex);
// After the wallet: the page looks for it at once.
await import("../.example/page.tsx");
