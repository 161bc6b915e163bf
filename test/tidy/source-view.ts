/**
 * One text, seen twice, with every character at its old place: `code` has blanks where comments and the contents of
 * strings were, `comments` has blanks everywhere else. Rules that look for words in `code` cannot be fooled by prose.
 */
export interface SourceView {
  readonly code: string;
  readonly comments: string;
}

/** Words after which a slash begins a regular expression and not a division. */
const BEFORE_REGEXP = /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|new|yield|await)$/;

/** Sticky, so that each matches only where the scan stands. Templates are cut at `${` and resumed at its `}`. */
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
const QUOTED = /'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?/y;
const TEMPLATE_CHARS = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
const REGEXP = /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;

export function viewSource(text: string): SourceView {
  const code = [...blank(text)];
  const comments = [...blank(text)];
  /** Open braces inside each template hole that the scan is in; the innermost last. */
  const holes: number[] = [];
  let at = 0;

  const copy = (target: string[], from: number, to: number) => {
    for (let index = from; index < to; index++) target[index] = text.charAt(index);
  };
  /** Skips from the character after a backquote or a hole's brace to the end of the literal or its next hole. */
  const skipTemplateChars = (from: number) => {
    const end = endOf(TEMPLATE_CHARS, text, from) ?? from;
    if (text.startsWith('${', end)) {
      holes.push(0);
      copy(code, end, end + 2);
      return end + 2;
    }
    copy(code, end, end + 1);
    return end + 1;
  };

  while (at < text.length) {
    const start = at;
    const char = text.charAt(at);
    const commentEnd = char === '/' ? endOf(COMMENT, text, at) : undefined;
    if (commentEnd !== undefined) {
      copy(comments, start, commentEnd);
      at = commentEnd;
      continue;
    }
    const literalEnd = isQuote(char) ? endOf(QUOTED, text, at) : char === '/' ? regexpEnd(text, code, at) : undefined;
    if (literalEnd !== undefined) {
      copy(code, start, start + 1);
      copy(code, literalEnd - 1, literalEnd);
      at = literalEnd;
      continue;
    }
    copy(code, at, at + 1);
    at++;
    if (char === '`') at = skipTemplateChars(at);
    else if (char === '{' && holes.length > 0) holes.push((holes.pop() ?? 0) + 1);
    else if (char === '}' && holes.length > 0) {
      const open = holes.pop() ?? 0;
      if (open === 0) at = skipTemplateChars(at);
      else holes.push(open - 1);
    }
  }
  return { code: code.join(''), comments: comments.join('') };
}

function regexpEnd(text: string, code: readonly string[], at: number): number | undefined {
  const before = code
    .slice(Math.max(0, at - 200), at)
    .join('')
    .trimEnd();
  const divides = /[\w$)\]}'"`]$/.test(before) && !BEFORE_REGEXP.test(before);
  return divides ? undefined : endOf(REGEXP, text, at);
}

function endOf(sticky: RegExp, text: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}

function isQuote(char: string): boolean {
  return char === "'" || char === '"';
}

/** Blanks of the same length in UTF-16 units, line ends kept. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
