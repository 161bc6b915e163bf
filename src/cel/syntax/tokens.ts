import type { Issue } from './source-text.ts';
import { readQuoted } from './string-literals.ts';

export type TokenKind = 'symbol' | 'identifier' | 'escaped' | 'int' | 'uint' | 'float' | 'string' | 'bytes' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The token as it is written; `<EOF>` at the end. */
  readonly text: string;
  readonly at: number;
}

const SYMBOLS = ['==', '!=', '<=', '>=', '&&', '||', ...'.,:?[](){}+-*/%!<>'] as const;
const NUMBER = /^(?:(0x[0-9a-fA-F]+)|(\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|(\d+))/;
const IDENTIFIER = /^[A-Za-z_]\w*/;
const ESCAPED = /^`[\w./\- ]+`/;
const SPACE = /^(?:[ \t\r\n\f]+|\/\/[^\n]*)/;

/** Divides an expression into tokens; characters that begin none are reported and left out. */
export function tokenize(text: string, issues: Issue[]): Token[] {
  const tokens: Token[] = [];
  let [rest, at] = [text, 0];
  const advance = (part: string): void => {
    rest = rest.slice(part.length);
    at += [...part].length;
  };
  while (rest !== '') {
    const space = SPACE.exec(rest)?.[0];
    if (space !== undefined) {
      advance(space);
      continue;
    }
    const [kind, part] = nextToken(rest);
    if (kind === null) issues.push({ at, message: `Syntax error: token recognition error at: '${printed(part)}'` });
    else tokens.push({ kind, text: part, at });
    advance(part);
  }
  tokens.push({ kind: 'end', text: '<EOF>', at });
  return tokens;
}

function nextToken(rest: string): [TokenKind | null, string] {
  const quoted = readQuoted(rest);
  if (quoted !== null) return [quoted.isBytes ? 'bytes' : 'string', quoted.text];
  const [, hexadecimal, float, decimal] = NUMBER.exec(rest) ?? [];
  if (float !== undefined) return ['float', float];
  const integer = hexadecimal ?? decimal;
  if (integer !== undefined) {
    const suffix = rest[integer.length];
    return suffix === 'u' || suffix === 'U' ? ['uint', integer + suffix] : ['int', integer];
  }
  const identifier = IDENTIFIER.exec(rest)?.[0];
  if (identifier !== undefined) return ['identifier', identifier];
  const escaped = ESCAPED.exec(rest)?.[0];
  if (escaped !== undefined) return ['escaped', escaped];
  const symbol = SYMBOLS.find((candidate) => rest.startsWith(candidate));
  if (symbol !== undefined) return ['symbol', symbol];
  return [null, unrecognised(rest)];
}

/**
 * What the generated lexer of cel-go reports as one mistake: the prefix of a longer token and the character that ended
 * it. A lone `=` or `&` takes the character behind it along, a quote everything to the end of its line.
 */
function unrecognised(rest: string): string {
  const [first = '', second = ''] = [...rest];
  if (first === '=' || first === '&' || first === '|') return first + second;
  if (first === '"' || first === "'") return /^[^\n]*\n?/.exec(rest)?.[0] ?? first;
  return first;
}

function printed(part: string): string {
  return part.replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r');
}
