import { consoleStyle } from "../pages/consoleStyle.ts";

/** Style of the reference: the console's, and what only long pages need. */
export const referenceStyle = `${consoleStyle}
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
nav ul, ul.fields { padding-left: 1.25rem; margin: 0.25rem 0; }
article { border-top: 1px solid var(--line); padding-top: 0.5rem; }
.method { text-transform: uppercase; }
`;
