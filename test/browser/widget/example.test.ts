import { expect } from "chai";
import { swap } from "./openBrowser.ts";
import { type Pair, useWidget } from "./useWidget.ts";

const pair: Pair = { from: ["alpha", "USDC"], to: ["beta", "USDC"] };

describe("the page of examples/widget in Chromium", () => {
  const { holdingOf, open } = useWidget(6, "example.tsx");

  it("25 USDC, with a wallet that is connected by the widget's button: the reported output arrives to the unit", async () => {
    const holdings = () => Promise.all([holdingOf(pair.from), holdingOf(pair.to)]);
    const [held, got] = await holdings();
    const page = await open(pair);
    await page
      .getByRole("button", { name: /connect/i })
      .last()
      .click();
    await page.getByText("Connect a wallet").waitFor({ state: "detached" });
    await swap(page, "25", "input");
    // The widget's dialog hides the page from assistive technology, so a role does not find it.
    const text = await page.locator("p[role=status]", { hasText: /Received|Failed/ }).textContent();
    const [left, has] = await holdings();
    expect(text).to.equal(`Received ${has - got} units`);
    expect(held - left).to.equal(25_000_000n);
    await page.close();
  }).timeout(90_000);
});
