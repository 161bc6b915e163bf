import { createHash } from 'node:crypto';
import type { TextAnswer } from '../../apiserver/context/context.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';

const SPEEDS = [
  ['paused', 'Pause'],
  ['1', '1×'],
  ['60', '60×'],
  ['1000', '1000×'],
  ['max', 'Max'],
] as const;
const STEPS = [
  ['1m', '+1 min'],
  ['1h', '+1 h'],
] as const;

const BODY = `
<header>
<h1>Berth</h1>
<span id="counts"></span>
<time id="time" aria-label="time of the cluster"></time>
<div id="clock" role="group" aria-label="clock">
${SPEEDS.map(([speed, text]) => `<button data-speed="${speed}" aria-pressed="false">${text}</button>`).join('\n')}
${STEPS.map(([step, text]) => `<button data-step="${step}">${text}</button>`).join('\n')}
</div>
</header>
<p id="problem" role="alert"></p>
<main>
<section class="wide">
<div class="bar"><h2>Nodes <span>requested of what they offer</span></h2>
<fieldset id="metrics" aria-label="what the colours show">
<label><input type="radio" name="metric" value="cpu" checked> cpu</label>
<label><input type="radio" name="metric" value="memory"> memory</label>
<label><input type="radio" name="metric" value="pods"> pods</label>
</fieldset></div>
<canvas id="map" tabindex="0" role="img" aria-label="heat map of the nodes; arrow keys move" aria-describedby="node">
</canvas>
<p id="node" aria-live="polite"></p>
</section>
<section><h2>Pending pods <span id="pending-count"></span></h2><ul id="pending"></ul></section>
<section id="explained" aria-live="polite"><h2>A pod, explained</h2><dl id="explanation"><dt>none</dt>
<dd>Choose a pending pod, or a pod of an event.</dd></dl></section>
<section class="wide"><h2>Events</h2><ul id="events"></ul></section>
</main>
`;

const HEAD = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Berth</title>';

/** The page has no data in it, so that everybody may have it: it asks for what it shows with the token. */
export function clusterPage(): TextAnswer {
  const style = `<style>${PAGE_STYLE}</style>`;
  return {
    type: 'text',
    status: 200,
    text: `<!doctype html>\n<html lang="en">${HEAD}${style}${BODY}<script>${PAGE_SCRIPT}</script></html>\n`,
    contentType: 'text/html; charset=utf-8',
    headers: {
      'Content-Security-Policy': [
        "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        `script-src ${sourceOf(PAGE_SCRIPT)}`,
        `style-src ${sourceOf(PAGE_STYLE)} 'unsafe-inline'`,
      ].join('; '),
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  };
}

/** The page's own text, by its hash: no other script runs, wherever it comes from. */
function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
