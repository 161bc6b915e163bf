import { isInt, MAX_UINT, Uint } from '../values/scalars.ts';
import { call, type Expression, identifier, list, literal, type MapEntry } from './expression.ts';
import { expandMacro } from './macros.ts';
import type { Issue } from './source-text.ts';
import { unquoteBytes, unquoteString } from './string-literals.ts';
import { type Token, tokenize } from './tokens.ts';

const RESERVED = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
/** The symbols in the order of cel-go's grammar, and those of them that may begin an operand. */
const SYMBOLS = ['[', ']', '{', '}', '(', ')', '.', ',', '-', '!', '?'];
const OPERAND_SYMBOLS = ['[', '{', '(', '.', '-', '!'];
const OPERAND_WORDS = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";

/** What may begin an operand, or stand in its place, as messages list it. */
function operandOr(...others: string[]): string {
  const symbols = SYMBOLS.filter((symbol) => OPERAND_SYMBOLS.includes(symbol) || others.includes(symbol));
  return `{${symbols.map((symbol) => `'${symbol}'`).join(', ')}, ${OPERAND_WORDS}}`;
}

/** How deep an expression may be nested; deeper ones are refused, as by cel-go's parser. */
const MAX_DEPTH = 250;

const COMPARISONS = new Set(['<', '<=', '>=', '>', '==', '!=', 'in']);

/** Parsing ends at the first mistake of syntax; the mistake is in the list of issues. */
class SyntaxStop extends Error {}

/** Parses an expression with its macros expanded. Returns null if there are mistakes, which are added to `issues`. */
export function parse(text: string, issues: Issue[]): Expression | null {
  const parser = new Parser(tokenize(text, issues), issues);
  try {
    const expression = parser.whole();
    return issues.length === 0 ? expression : null;
  } catch (error) {
    if (!(error instanceof SyntaxStop)) throw error;
    return null;
  }
}

/** A chain as a tree of little depth, as cel-go has it; `places`: where the operators stand. */
function balanced(
  name: string,
  terms: readonly Expression[],
  places: readonly number[],
  first = 0,
  last = places.length - 1,
): Expression {
  if (first > last) return terms[first] as Expression;
  const middle = (first + last + 1) >> 1;
  const left = balanced(name, terms, places, first, middle - 1);
  return call(places[middle] as number, name, left, balanced(name, terms, places, middle + 1, last));
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #issues: Issue[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], issues: Issue[]) {
    this.#tokens = tokens;
    this.#issues = issues;
  }

  whole(): Expression {
    const expression = this.#expression();
    const token = this.#token;
    if (token.kind !== 'end') {
      const isAlone = this.#tokens[this.#next + 1]?.kind === 'end';
      this.#fail(
        token.at,
        `Syntax error: ${isAlone ? 'extraneous' : 'mismatched'} input '${token.text}' expecting <EOF>`,
      );
    }
    return expression;
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #expression(): Expression {
    if (++this.#depth > MAX_DEPTH) {
      this.#fail(-1, `expression recursion limit exceeded: ${MAX_DEPTH}`);
    }
    const condition = this.#chain('||', '_||_', () => this.#chain('&&', '_&&_', () => this.#relation()));
    const at = this.#token.at;
    let whole = condition;
    if (this.#accept('?')) {
      const yes = this.#chain('||', '_||_', () => this.#chain('&&', '_&&_', () => this.#relation()));
      this.#expect(':');
      whole = call(at, '_?_:_', condition, yes, this.#expression());
    }
    this.#depth--;
    return whole;
  }

  #chain(symbol: string, name: string, operand: () => Expression): Expression {
    const terms = [operand()];
    const places: number[] = [];
    for (;;) {
      const { at } = this.#token;
      if (!this.#accept(symbol)) return balanced(name, terms, places);
      places.push(at);
      terms.push(operand());
    }
  }

  #relation(): Expression {
    let left = this.#sum();
    for (;;) {
      const { at, text, kind } = this.#token;
      const isOperator = (kind === 'symbol' || (kind === 'identifier' && text === 'in')) && COMPARISONS.has(text);
      if (!isOperator) return left;
      this.#next++;
      left = call(at, text === 'in' ? '@in' : `_${text}_`, left, this.#sum());
    }
  }

  #sum(): Expression {
    return this.#operations(['+', '-'], () => this.#operations(['*', '/', '%'], () => this.#unary()));
  }

  #operations(symbols: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const { at, text, kind } = this.#token;
      if (kind !== 'symbol' || !symbols.includes(text)) return left;
      this.#next++;
      left = call(at, `_${text}_`, left, operand());
    }
  }

  /** Pairs of equal operators cancel each other, as in cel-go; a minus before a number belongs to the number. */
  #unary(): Expression {
    const { at, text } = this.#token;
    if (!this.#isSymbol('!') && !this.#isSymbol('-')) return this.#member();
    let count = 0;
    while (this.#isSymbol(text) && !(text === '-' && this.#isNumber(this.#next + 1))) {
      this.#next++;
      count++;
    }
    const operand = this.#member();
    return count % 2 === 0 ? operand : call(at, text === '!' ? '!_' : '-_', operand);
  }

  #isNumber(index: number): boolean {
    const kind = this.#tokens[index]?.kind;
    return kind === 'int' || kind === 'float';
  }

  #member(): Expression {
    let operand = this.#primary();
    for (;;) {
      const { at } = this.#token;
      if (this.#accept('.')) operand = this.#selection(operand, at);
      else if (this.#accept('[')) {
        const isOptional = this.#accept('?');
        const index = this.#expression();
        this.#expect(']');
        operand = call(at, isOptional ? '_[?_]' : '_[_]', operand, index);
      } else if (this.#isSymbol('{') && isTypeName(operand)) operand = this.#struct(operand);
      else return operand;
    }
  }

  #selection(operand: Expression, at: number): Expression {
    const isOptional = this.#accept('?');
    const field = this.#fieldName();
    const parenthesis = this.#token.at;
    if (isOptional) return call(at, '_?._', operand, literal(at, field));
    if (!this.#accept('(')) return { kind: 'selection', at, operand, field, isTest: false };
    const args = this.#arguments(')');
    return this.#called({ kind: 'call', at: parenthesis, function: field, target: operand, args });
  }

  #called(expression: Extract<Expression, { kind: 'call' }>): Expression {
    return expandMacro(expression, (at, message) => this.#issues.push({ at, message }));
  }

  #primary(): Expression {
    const token = this.#token;
    const { kind, text, at } = token;
    if (kind === 'identifier' || this.#isSymbol('.')) return this.#named();
    if (kind === 'symbol') return this.#bracketed();
    this.#next++;
    switch (kind) {
      case 'string':
        return literal(at, unquoteString(text));
      case 'bytes':
        return literal(at, unquoteBytes(text));
      case 'int':
      case 'uint':
      case 'float':
        return this.#number(token, '', at);
      default:
        this.#next--;
        return this.#unexpected();
    }
  }

  #bracketed(): Expression {
    const { at, text } = this.#token;
    this.#next++;
    if (text === '-' && this.#isNumber(this.#next)) return this.#number(this.#tokens[this.#next++] as Token, '-', at);
    if (text === '(') {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (text === '[') return this.#list(at);
    if (text === '{') return this.#map(at);
    this.#next--;
    return this.#unexpected();
  }

  #number({ kind, text }: Token, sign: string, at: number): Expression {
    if (kind === 'float') {
      const double = Number(sign + text);
      if (!Number.isFinite(double)) this.#issues.push({ at, message: 'invalid double literal' });
      return literal(at, double);
    }
    const value = BigInt(kind === 'uint' ? text.slice(0, -1) : text) * (sign === '-' ? -1n : 1n);
    if (kind === 'uint') {
      if (value > MAX_UINT) this.#issues.push({ at, message: 'invalid uint literal' });
      return literal(at, new Uint(value));
    }
    if (!isInt(value)) this.#issues.push({ at, message: 'invalid int literal' });
    return literal(at, value);
  }

  #named(): Expression {
    const start = this.#token.at;
    const isAbsolute = this.#accept('.');
    const { text, kind, at } = this.#token;
    if (kind !== 'identifier') return this.#unexpected();
    if (text === 'in') return this.#unexpected();
    this.#next++;
    if (!isAbsolute) {
      if (text === 'true' || text === 'false') return literal(at, text === 'true');
      if (text === 'null') return literal(at, null);
    }
    if (RESERVED.has(text)) this.#issues.push({ at, message: `reserved identifier: ${text}` });
    const name = isAbsolute ? `.${text}` : text;
    const parenthesis = this.#token.at;
    if (!this.#accept('(')) return identifier(start, name);
    const args = this.#arguments(')');
    return this.#called({ kind: 'call', at: parenthesis, function: name, target: null, args });
  }

  #arguments(closing: string): Expression[] {
    const args: Expression[] = [];
    if (this.#accept(closing)) return args;
    this.#expectOperandOr(closing);
    do args.push(this.#expression());
    while (this.#accept(','));
    this.#expect(closing);
    return args;
  }

  #list(at: number): Expression {
    const elements: Expression[] = [];
    const optional = new Set<number>();
    if (!this.#isSymbol(']')) this.#expectOperandOr(']', ',', '?');
    while (!this.#isSymbol(']')) {
      if (this.#accept('?')) optional.add(elements.length);
      elements.push(this.#expression());
      if (!this.#accept(',')) break;
    }
    this.#expect(']');
    return { ...list(at, ...elements), optional };
  }

  #map(at: number): Expression {
    const entries: MapEntry[] = [];
    if (!this.#isSymbol('}')) this.#expectOperandOr('}', ',', '?');
    while (!this.#isSymbol('}')) {
      const isOptional = this.#accept('?');
      const key = this.#expression();
      this.#expect(':');
      entries.push({ key, value: this.#expression(), isOptional });
      if (!this.#accept(',')) break;
    }
    this.#expect('}');
    return { kind: 'map', at, entries };
  }

  #struct(name: Expression): Expression {
    const { at } = this.#token;
    const values: Expression[] = [];
    this.#expect('{');
    while (!this.#isSymbol('}')) {
      this.#accept('?');
      this.#fieldName();
      this.#expect(':');
      values.push(this.#expression());
      if (!this.#accept(',')) break;
    }
    this.#expect('}');
    return { kind: 'struct', at, name: nameOf(name), values };
  }

  #fieldName(): string {
    const { kind, text, at } = this.#token;
    if (kind !== 'identifier' && kind !== 'escaped') {
      this.#fail(
        at,
        `Syntax error: mismatched input '${text}' expecting {'true', 'false', 'null', IDENTIFIER, ESC_IDENTIFIER}`,
      );
    }
    this.#next++;
    return kind === 'escaped' ? text.slice(1, -1) : text;
  }

  #isSymbol(text: string): boolean {
    return this.#token.kind === 'symbol' && this.#token.text === text;
  }

  #accept(text: string): boolean {
    if (!this.#isSymbol(text)) return false;
    this.#next++;
    return true;
  }

  #expect(text: string): void {
    if (this.#accept(text)) return;
    const { kind, text: found, at } = this.#token;
    const after = this.#tokens[this.#next + 1];
    if (kind === 'end') this.#fail(at, `Syntax error: missing '${text}' at '<EOF>'`);
    const isExtraneous = after?.kind === 'symbol' && after.text === text;
    this.#fail(at, `Syntax error: ${isExtraneous ? 'extraneous' : 'mismatched'} input '${found}' expecting '${text}'`);
  }

  /** Where an operand is optional, the message for what is none lists what else may stand there. */
  #expectOperandOr(...others: string[]): void {
    const { kind, text, at } = this.#token;
    const isOperand = kind !== 'end' && (kind !== 'symbol' || OPERAND_SYMBOLS.includes(text) || others.includes(text));
    if (!isOperand) this.#fail(at, `Syntax error: mismatched input '${text}' expecting ${operandOr(...others)}`);
  }

  #unexpected(): never {
    const { at, text } = this.#token;
    this.#fail(at, `Syntax error: mismatched input '${text}' expecting ${operandOr()}`);
  }

  #fail(at: number, message: string): never {
    this.#issues.push({ at, message });
    throw new SyntaxStop();
  }
}

function isTypeName(operand: Expression): boolean {
  if (operand.kind === 'identifier') return true;
  return operand.kind === 'selection' && !operand.isTest && isTypeName(operand.operand);
}

function nameOf(expression: Expression): string {
  if (expression.kind === 'identifier') return expression.name;
  return expression.kind === 'selection' ? `${nameOf(expression.operand)}.${expression.field}` : '';
}
