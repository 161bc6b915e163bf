/** The text of HTML elements. */
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

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(content: string): string {
  return content.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}
