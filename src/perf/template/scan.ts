import { TemplateError } from './template-error.ts';

/** The text between actions, or the inside of one `{{ action }}`. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly text: string; readonly line: number };

const COMMENT = /^\/\*[\s\S]*\*\/$/;

/** Splits a template into text and actions. `{{-` and `-}}` remove the adjacent white space; comments are dropped. */
export function scan(source: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let trimsNext = false;
  const addText = (text: string, trimsEnd: boolean): void => {
    const begun = trimsNext ? text.replace(/^\s+/, '') : text;
    const kept = trimsEnd ? begun.replace(/\s+$/, '') : begun;
    if (kept !== '') pieces.push({ kind: 'text', text: kept });
  };
  for (let open = source.indexOf('{{'); open >= 0; open = source.indexOf('{{', at)) {
    const line = lineAt(source, open);
    const close = endOfAction(source, open + 2);
    if (close < 0) throw new TemplateError(`line ${line}: {{ without }}`);
    let inside = source.slice(open + 2, close);
    const trimsBefore = /^-\s/.test(inside);
    if (trimsBefore) inside = inside.slice(1);
    const trimsAfter = /\s-$/.test(inside);
    if (trimsAfter) inside = inside.slice(0, -1);
    addText(source.slice(at, open), trimsBefore);
    const text = inside.trim();
    if (!COMMENT.test(text)) pieces.push({ kind: 'action', text, line });
    at = close + 2;
    trimsNext = trimsAfter;
  }
  addText(source.slice(at), false);
  return pieces;
}

const QUOTES: ReadonlySet<string> = new Set(['"', "'", '`']);

/** The index of the `}}` that ends the action, outside of comments and quotes; -1 if there is none. */
function endOfAction(source: string, start: number): number {
  const comment = /^-?\s*\/\*/.exec(source.slice(start, start + 80));
  if (comment !== null) {
    const end = source.indexOf('*/', start);
    return end < 0 ? -1 : source.indexOf('}}', end);
  }
  let quote = '';
  for (let i = start; i < source.length; i++) {
    const char = source.charAt(i);
    if (quote !== '') {
      if (char === '\\' && quote !== '`') i++;
      else if (char === quote) quote = '';
    } else if (QUOTES.has(char)) quote = char;
    else if (char === '}' && source.charAt(i + 1) === '}') return i;
  }
  return -1;
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}
