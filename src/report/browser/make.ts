type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;
type Child = Node | string;

/** Makes an element. Texts are never read as markup; an attribute that is null, undefined or false is left out. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false)
      made.setAttribute(name, value === true ? '' : `${value}`);
  }
  made.append(...children);
  return made;
}

export function makeButton(text: string, attributes: Attributes, onPress: () => void): HTMLButtonElement {
  const made = make('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', onPress);
  return made;
}

/** A colour of the style sheet, which knows light and dark. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export const COLOURS = 8;

/** The colour of the n-th line. */
export function lineColour(n: number): string {
  return colour(`line-${n % COLOURS}`);
}
