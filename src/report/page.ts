import { createHash } from 'node:crypto';
import { embeddedData } from './embedded-data.ts';
import { element, type Markup, text } from './markup.ts';
import type { Fact, Highlight, ReportPage, Section } from './sections.ts';
import { shownData } from './shown-text.ts';
import { staticTable } from './static-table.ts';

/** The built program of a page and its style sheet. */
export interface PageProgram {
  readonly script: string;
  readonly style: string;
}

/**
 * One file that shows the report without a network. What the data says is text or data, never program: the policy of
 * the page names its script and its style by hash, and allows nothing else. The same report gives the same bytes.
 */
export function buildPage(report: ReportPage, { script, style }: PageProgram): string {
  const page = shownData(report);
  const { about, facts, highlights = [], sections } = page;
  const title = page.title === '' ? 'Report' : page.title;
  const policy = [
    `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; img-src data:`,
    `base-uri 'none'; form-action 'none'`,
  ].join('; ');
  const head = [
    '<meta charset="utf-8">' as Markup,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">` as Markup,
    '<meta name="viewport" content="width=device-width, initial-scale=1">' as Markup,
    '<meta name="color-scheme" content="light dark">' as Markup,
    '<link rel="icon" href="data:,">' as Markup,
    element('title', {}, text(title)),
    element('style', {}, style as Markup),
  ];
  const groups = grouped(sections);
  const body = [
    element('a', { class: 'skip', href: '#main' }, text('To the content')),
    element(
      'header',
      {},
      element('h1', {}, text(title)),
      ...(about === undefined || about === '' ? [] : [element('p', { class: 'about' }, text(about))]),
      factList(facts),
    ),
    ...(groups.length > 1 ? [contents(groups)] : []),
    element(
      'main',
      { id: 'main' },
      ...(highlights.length === 0 ? [] : [element('ul', { class: 'highlights' }, ...highlights.map(tile))]),
      element('noscript', {}, element('p', {}, text('Plots and maps need JavaScript, which is in this file.'))),
      ...groups.map(groupMarkup),
    ),
    embeddedData(sections.map(scriptData)),
    element('script', {}, script as Markup),
  ];
  const html = element('html', { lang: 'en' }, element('head', {}, ...head), element('body', {}, ...body));
  return `<!doctype html>\n${html}\n`;
}

interface Group {
  readonly title: string;
  readonly sections: { readonly section: Section; readonly index: number }[];
}

/** Neighbours of one group stand together. */
function grouped(sections: readonly Section[]): readonly Group[] {
  const groups: Group[] = [];
  for (const [index, section] of sections.entries()) {
    const title = section.group ?? section.title;
    const last = groups.at(-1);
    if (section.group !== undefined && last?.title === title) last.sections.push({ section, index });
    else groups.push({ title, sections: [{ section, index }] });
  }
  return groups;
}

function contents(groups: readonly Group[]): Markup {
  const links = groups.map(({ title }, i) => element('li', {}, element('a', { href: `#part-${i + 1}` }, text(title))));
  return element('nav', { 'aria-label': 'Contents' }, element('ul', {}, ...links));
}

function groupMarkup({ title, sections }: Group, i: number): Markup {
  const isAlone = sections.length === 1 && sections[0]?.section.title === title;
  return element(
    'section',
    { id: `part-${i + 1}`, class: 'part', 'aria-labelledby': `title-${i + 1}` },
    element('h2', { id: `title-${i + 1}` }, text(title)),
    element(
      'div',
      { class: 'panels' },
      ...sections.map(({ section, index }) => panel(section, index, isAlone ? null : section.title)),
    ),
  );
}

/** A section; the script finds its place by the number. */
function panel(section: Section, index: number, title: string | null): Markup {
  const isNarrow = 'isNarrow' in section && section.isNarrow === true;
  return element(
    'div',
    { class: `panel ${section.kind}${isNarrow ? ' narrow' : ''}` },
    ...(title === null ? [] : [element('h3', {}, text(title))]),
    ...(section.note === undefined ? [] : [element('p', { class: 'note' }, text(section.note))]),
    element('div', { class: 'body', 'data-section': index }, ...staticBody(section)),
  );
}

function staticBody(section: Section): Markup[] {
  if (section.kind === 'text') return section.paragraphs.map((each) => element('p', { dir: 'auto' }, text(each)));
  return section.kind === 'table' ? staticTable(section) : [];
}

/** The script has nothing to do for texts. */
function scriptData(section: Section): Section | null {
  return section.kind === 'text' ? null : section;
}

/** A longer fact has a row of its own. */
const LONG_FACT = 36;

function factList(facts: readonly Fact[]): Markup {
  const items = facts.map(([name, value]) =>
    element(
      'div',
      value.length > LONG_FACT ? { class: 'long' } : {},
      element('dt', {}, text(name)),
      element('dd', { dir: 'auto' }, text(value)),
    ),
  );
  return element('dl', { class: 'facts' }, ...items);
}

function tile({ name, value, note, isBad = false }: Highlight): Markup {
  return element(
    'li',
    isBad ? { class: 'bad' } : {},
    element('span', { class: 'name' }, text(name)),
    element('strong', {}, text(value)),
    ...(note === undefined ? [] : [element('span', { class: 'more' }, text(note))]),
  );
}

function hashOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}
