import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { Section } from '../../src/report/sections.ts';

/** The data of a page's script, as the script reads it; null for sections that are text alone. */
export function pageSections(html: string): readonly (Section | null)[] {
  const [, type, content = ''] = /<script type="([^"]*)" id="data">([^<]*)<\/script>/.exec(html) ?? [];
  const json = type === 'application/json' ? content : gunzipSync(Buffer.from(content, 'base64')).toString();
  return JSON.parse(json);
}

/** The section with this title. */
export function sectionOf<K extends Section['kind']>(html: string, kind: K, title: string): Section & { kind: K } {
  const found = pageSections(html).find((section) => section?.kind === kind && section.title === title);
  if (found === undefined || found === null) throw new Error(`the page has no section ${title}`);
  return found as Section & { kind: K };
}

/** The page without its program and its style, if their hashes are those of its policy. */
export function withoutProgram(html: string): string {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
  const allowed = new Set([...policy.matchAll(/'(sha256-[^']+)'/g)].map(([, hash]) => hash));
  return html.replace(/<(script|style)>([\s\S]*?)<\/\1>/g, (element, _, content) => {
    const hash = `sha256-${createHash('sha256').update(content).digest('base64')}`;
    return allowed.delete(hash) ? '' : element;
  });
}
