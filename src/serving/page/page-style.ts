/** The style of the page: two columns, one on a narrow screen; the colours follow the reader's system. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --back: #fbfbfa; --panel: #fff; --ink: #1c1e21; --soft: #5b616a; --line: #d9dce1; --accent: #0b5cad;
  --empty: 228 231 236; --full: 9 84 158; --shut: #c0392b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14161a; --panel: #1c1f25; --ink: #e8eaed; --soft: #a2a9b4; --line: #343a44; --accent: #7db8f5;
    --empty: 47 53 63; --full: 124 196 255; --shut: #ff7b6b;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; padding: 10px 16px;
  background: var(--panel); border-bottom: 1px solid var(--line); }
h1 { font-size: 17px; margin: 0; }
h2 { font-size: 14px; margin: 0 0 8px; }
h2 span { color: var(--soft); font-weight: 400; }
time { font-variant-numeric: tabular-nums; }
main { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 12px; padding: 12px 16px; }
section { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 12px; min-width: 0; }
.wide { grid-column: 1 / -1; }
button, fieldset label { font: inherit; color: inherit; background: none; border: 1px solid var(--line);
  border-radius: 4px; padding: 3px 9px; cursor: pointer; }
button:hover { border-color: var(--accent); }
button[aria-pressed='true'],
label:has(:checked) { border-color: var(--accent); color: var(--accent); font-weight: 600; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
fieldset { border: 0; padding: 0; margin: 0; display: inline-flex; flex-wrap: wrap; gap: 6px; }
fieldset input { position: absolute; opacity: 0; pointer-events: none; }
canvas { display: block; width: 100%; margin-top: 10px; border-radius: 3px; }
.bar { display: flex; flex-wrap: wrap; gap: 8px 16px; justify-content: space-between; align-items: center; }
#node { color: var(--soft); min-height: 1.5em; margin: 8px 0 0; }
ul { list-style: none; margin: 0; padding: 0; max-height: 320px; overflow: auto; }
li { border-top: 1px solid var(--line); padding: 5px 0; overflow-wrap: anywhere; }
li:first-child { border-top: 0; }
li button { display: block; width: 100%; text-align: left; border-color: transparent; padding: 2px 4px; }
small { color: var(--soft); display: block; }
.warning { color: var(--shut); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 12px; margin: 8px 0 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
#problem:empty { display: none; }
#problem { color: var(--shut); margin: 0; padding: 8px 16px; }
@media (max-width: 720px) { main { grid-template-columns: minmax(0, 1fr); padding: 8px; } }
`;
