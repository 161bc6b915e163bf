/** The text of SVG or HTML elements. */
export type Markup = string & { readonly __markup: unique symbol };

type Attributes = Readonly<Record<string, string | number>>;

/** An element with its attributes and children. */
export function element(name: string, attributes: Attributes, ...children: readonly Markup[]): Markup {
  const attributeText = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  return `<${name}${attributeText.join('')}>${children.join('')}</${name}>` as Markup;
}

/** Escaped text between tags. */
export function text(content: string): Markup {
  return escaped(content) as Markup;
}

/** A drawing of this size, and what it shows in a few words. */
export function svg(width: number, height: number, about: string, ...content: readonly Markup[]): Markup {
  const box = { viewBox: `0 0 ${width} ${height}`, width, role: 'img', 'aria-label': about };
  return element('svg', { xmlns: 'http://www.w3.org/2000/svg', ...box }, ...content);
}

/** A small text in a drawing. */
export function label(x: number, y: number, anchor: 'start' | 'middle' | 'end', content: string): Markup {
  return element('text', { x, y, 'text-anchor': anchor, 'font-size': 11, fill: '#4b5563' }, text(content));
}

/** The title of a drawing. */
export function title(x: number, y: number, content: string): Markup {
  return element('text', { x, y, 'font-size': 13, 'font-weight': 600 }, text(content));
}

/** A line of the grid behind a plot. */
export function gridLine(x1: number, y1: number, x2: number, y2: number): Markup {
  return element('line', { x1, x2, y1, y2, stroke: '#d4d7dd', 'stroke-width': 1 });
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(content: string): string {
  return content.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}
