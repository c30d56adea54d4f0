import { render } from "preact";
import { App } from "./App.tsx";
import { loadChains } from "./data/chains.ts";
import { followStream } from "./data/live.ts";

const root = document.querySelector("#app");
if (root !== null) render(<App />, root);
followStream();
// Names of chains and accounts arrive a moment later; views show ids until then.
void loadChains();
