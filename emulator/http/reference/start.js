/** Starts Swagger UI: with search over operations, and with the names and roles that assistive technology needs. */
const scheme = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", scheme.matches);
followScheme();
scheme.addEventListener("change", followScheme);

/** Swagger UI itself searches tags and paths. */
function opsFilter(tags, phrase) {
  const matches = (name) => (one) =>
    [name, one.get("path"), one.getIn(["operation", "summary"]), one.getIn(["operation", "operationId"])]
      .join(" ")
      .toLowerCase()
      .includes(phrase.toLowerCase());
  return tags
    .map((tag, name) => tag.update("operations", (operations) => operations.filter(matches(name))))
    .filter((tag) => tag.get("operations").size > 0);
}

const landmarks = ({ React: { createElement } }) => ({
  // A link within a button.
  components: { DeepLink: ({ text }) => createElement("span", null, text) },
  wrapComponents: {
    FilterContainer: (Original) => (props) =>
      createElement("search", null, createElement("h2", null, "Operations"), createElement(Original, props)),
    InfoContainer: (Original) => (props) =>
      createElement("header", { role: "banner" }, createElement(Original, props)),
    ServersContainer: () => () => null,
  },
});

/** Adds what Swagger UI leaves out: names of form elements and tables, and long examples that the keyboard scrolls. */
function label() {
  for (const element of document.querySelectorAll("textarea, [data-param-name] select")) {
    element.ariaLabel = element.closest("[data-param-name]")?.dataset.paramName ?? "Body";
  }
  const search = document.querySelector(".operation-filter-input");
  if (search) search.placeholder = "Search by path, summary, id or section";
  for (const code of document.querySelectorAll("pre")) code.tabIndex = 0;
  for (const table of document.querySelectorAll("table[role=region]")) table.ariaLabel = table.id;
}
new MutationObserver(label).observe(document.body, { childList: true, subtree: true });

globalThis.SwaggerUIBundle({
  deepLinking: true,
  defaultModelsExpandDepth: -1,
  dom_id: "#reference",
  filter: true,
  plugins: [() => ({ fn: { opsFilter } }), landmarks],
  syntaxHighlight: false,
  tryItOutEnabled: true,
  url: "/openapi.json",
  validatorUrl: null,
});
