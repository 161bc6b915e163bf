import type { YAMLError } from 'yaml';

const TAB = 'found a tab character that violates indentation';

/** What Go's reader of YAML says to a mistake, with its line: `line 2: found a tab character ...`. */
export function yamlProblem(text: string, error: YAMLError): string {
  const line = error.linePos?.[0].line ?? 1;
  // The scanner of Go's YAML package counts lines from one, its parser from zero, and names no line zero.
  const scanned = (problem: string): string => `line ${line}: ${problem}`;
  const parsed = (problem: string, at: number): string => (at === 0 ? problem : `line ${at}: ${problem}`);
  const { code, message } = error;
  if (code === 'TAB_AS_INDENT') return scanned(TAB);
  if (code === 'BLOCK_AS_IMPLICIT_KEY' || /^Nested mappings/.test(message)) {
    const colon = text.indexOf(':', error.pos[0]);
    return `line ${text.slice(0, colon).split('\n').length}: mapping values are not allowed in this context`;
  }
  if (/quote/.test(message)) return parsed('found unexpected end of stream', lineOfEnd(text));
  if (/map keys need to be followed/.test(message)) return scanned("could not find expected ':'");
  if (/[Ff]low (?:sequence|map)/.test(message)) return flowProblem(text, message, parsed);
  if (code === 'BAD_ALIAS') {
    const [, name = ''] = /alias[^:]*: (\S+)/.exec(message) ?? [];
    return `unknown anchor '${name}' referenced`;
  }
  if (/sequence/.test(message)) return parsed("did not find expected '-' indicator", line - 1);
  if (/mapping items|BAD_INDENT/.test(message) || code === 'BAD_INDENT') {
    return parsed('did not find expected key', line - 1);
  }
  return parsed('did not find expected node content', line - 1);
}

/** A list or map in brackets that does not end. */
function flowProblem(text: string, message: string, parsed: (problem: string, at: number) => string): string {
  const end = lineOfEnd(text);
  if (/[[{,:]\s*$/.test(text)) return parsed('did not find expected node content', end);
  const isMap = /[Ff]low map/.test(message);
  const opening = text.lastIndexOf(isMap ? '{' : '[');
  const start = text.slice(0, Math.max(opening, 0)).split('\n').length - 1;
  return parsed(`did not find expected ',' or '${isMap ? '}' : ']'}'`, start === 0 ? end : start);
}

/** The end of the text is the beginning of one more line. */
function lineOfEnd(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}
