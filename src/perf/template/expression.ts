import { TemplateError } from './template-error.ts';

/** The content of an action. `Mod .Index 3 | AddInt 1` is a call whose last argument is a call. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  /** `.Index`, `$pod.name` or `.`: a variable ('$' or '' for the dot), and the path of a member. */
  | { readonly kind: 'field'; readonly variable: string; readonly path: readonly string[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] };

const WORDS = [
  /("(?:\\.|[^"\\])*")/,
  /`([^`]*)`/,
  /([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/,
  /(\$\w*(?:\.\w+)*)/,
  /((?:\.\w+)+|\.)/,
  /([A-Za-z_]\w*)/,
  /(:=|[(|),=])/,
];
const TOKEN = new RegExp(`\\s*(?:${WORDS.map(({ source }) => source).join('|')})`, 'y');

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['nil', null],
]);

type Word = { readonly kind: 'name'; readonly text: string } | { readonly kind: 'mark'; readonly text: string };
type Token = Expression | Word;

/** Parses the words of one action, from left to right. */
export class ExpressionReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  /** Takes the mark if it comes next. Returns whether it did. */
  takeMark(mark: string): boolean {
    const next = this.#peek();
    if (next?.kind !== 'mark' || next.text !== mark) return false;
    this.#at++;
    return true;
  }

  /** Takes a variable `$name` in front of `:=`, `=` or a comma; returns undefined if something else comes next. */
  takeVariable(): string | undefined {
    const [first, second] = [this.#tokens[this.#at], this.#tokens[this.#at + 1]];
    if (first?.kind !== 'field' || first.variable === '' || first.path.length > 0) return undefined;
    if (second?.kind !== 'mark' || ![':=', '=', ','].includes(second.text)) return undefined;
    this.#at++;
    return first.variable;
  }

  /** Parses a whole pipeline: each command is the last argument of the next one. */
  pipeline(): Expression {
    let value = this.#command(undefined);
    while (this.takeMark('|')) value = this.#command(value);
    return value;
  }

  /** @throws TemplateError when words are left over */
  end(): void {
    if (this.#at < this.#tokens.length) throw new TemplateError(`unexpected ${this.#shown()}`);
  }

  #command(piped: Expression | undefined): Expression {
    const first = this.#peek();
    if (first?.kind !== 'name') {
      const operand = this.#operand();
      if (piped !== undefined) throw new TemplateError('a pipe must end in a function');
      return operand;
    }
    this.#at++;
    const args: Expression[] = [];
    for (let next = this.#peek(); next !== undefined && startsOperand(next); next = this.#peek()) {
      args.push(this.#operand());
    }
    return { kind: 'call', name: first.text, args: piped === undefined ? args : [...args, piped] };
  }

  #operand(): Expression {
    const token = this.#peek();
    if (token === undefined) throw new TemplateError('a value is missing');
    if (this.takeMark('(')) {
      const inner = this.pipeline();
      if (!this.takeMark(')')) throw new TemplateError('( without )');
      return inner;
    }
    if (token.kind === 'mark') throw new TemplateError(`unexpected ${this.#shown()}`);
    this.#at++;
    if (token.kind === 'name') return { kind: 'call', name: token.text, args: [] };
    return token;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #shown(): string {
    const token = this.#peek();
    if (token === undefined) return 'end';
    if (token.kind === 'name' || token.kind === 'mark') return JSON.stringify(token.text);
    return token.kind === 'literal' ? JSON.stringify(token.value) : 'value';
  }
}

function startsOperand(token: Token): boolean {
  return token.kind !== 'mark' || token.text === '(';
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new TemplateError(`cannot be read: ${JSON.stringify(text.slice(start).trim())}`);
    tokens.push(tokenOf(match));
  }
  return tokens;
}

function tokenOf([, quoted, raw, number, variable, field, name, mark = '']: RegExpExecArray): Token {
  if (quoted !== undefined) return { kind: 'literal', value: unquoted(quoted) };
  if (raw !== undefined) return { kind: 'literal', value: raw };
  if (number !== undefined) return { kind: 'literal', value: Number(number) };
  if (variable !== undefined) {
    const [root = '$', ...path] = variable.split('.');
    return { kind: 'field', variable: root, path };
  }
  if (field !== undefined) return { kind: 'field', variable: '', path: field.split('.').slice(1).filter(Boolean) };
  if (name === undefined) return { kind: 'mark', text: mark };
  const constant = CONSTANTS.get(name);
  return constant === undefined ? { kind: 'name', text: name } : { kind: 'literal', value: constant };
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new TemplateError(`cannot be read: ${text}`);
  }
}
