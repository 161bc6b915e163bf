/** Label selectors in a query, with the texts of the API's parser. Upstream: apimachinery/pkg/labels/selector.go. */
import {
  compileRequirement,
  joinErrors,
  type LabelMatcher,
  type RequirementOperator,
} from '../../api/label-requirement.ts';
import type { Labels } from '../../api/meta.ts';
import { badRequest } from '../../kinds/object/refusals.ts';

const SYMBOLS = new Set(['=', '==', '!=', '!', '(', ')', ',', '>', '<']);
const OPERATORS: Readonly<Record<string, RequirementOperator>> = {
  '=': 'Equals',
  '==': 'Equals',
  '!=': 'NotIn',
  '>': 'Gt',
  '<': 'Lt',
  in: 'In',
  notin: 'NotIn',
};
const BINARY_OPERATORS = 'in, notin, =, ==, !=, gt, lt';

/** Parses a selector; undefined for one that selects everything. @throws StatusError BadRequest */
export function parseLabelSelector(text: string): ((labels: Labels) => boolean) | undefined {
  const matchers = new Parser(text).parse();
  if (matchers.length === 0) return undefined;
  return (labels) => matchers.every((matches) => matches(labels));
}

/** `text` '' is the end. */
interface Token {
  readonly text: string;
  readonly isSymbol: boolean;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(/([^\s=!(),<>]+)|([=!(),<>]+)/g)) {
    if (match[1] !== undefined) tokens.push({ text: match[1], isSymbol: false });
    else tokens.push(...symbolsOf(match[2] as string));
  }
  return tokens;
}

/** Cuts a run of symbols into tokens, the longest first. */
function symbolsOf(run: string): Token[] {
  const symbols: Token[] = [];
  for (let i = 0; i < run.length; ) {
    const two = run.slice(i, i + 2);
    const text = two.length === 2 && SYMBOLS.has(two) ? two : run.charAt(i);
    symbols.push({ text, isSymbol: true });
    i += text.length;
  }
  return symbols;
}

class Parser {
  readonly #tokens: Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  parse(): LabelMatcher[] {
    const matchers: LabelMatcher[] = [];
    for (;;) {
      const next = this.#peek();
      if (next.text === '') return matchers;
      if (next.isSymbol && next.text !== '!') {
        throw badRequest(`found '${next.text}', expected: !, identifier, or 'end of string'`);
      }
      matchers.push(this.#requirement());
      const separator = this.#take();
      if (separator.text === '') return matchers;
      if (separator.text !== ',') throw badRequest(`found '${separator.text}', expected: ',' or 'end of string'`);
      const after = this.#peek();
      if (after.text === '' || (after.isSymbol && after.text !== '!')) {
        throw badRequest(`found '${after.text}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): LabelMatcher {
    let first = this.#take();
    const isNegated = first.isSymbol && first.text === '!';
    if (isNegated) first = this.#take();
    if (!isWord(first)) throw unparsable(`found '${first.text}', expected: identifier`);
    const key = first.text;
    const { text } = this.#peek();
    if (isNegated || text === '' || text === ',') return compiled(key, isNegated ? 'DoesNotExist' : 'Exists', []);
    const symbol = this.#take().text;
    const operator = Object.hasOwn(OPERATORS, symbol) ? OPERATORS[symbol] : undefined;
    if (operator === undefined) throw unparsable(`found '${symbol}', expected: ${BINARY_OPERATORS}`);
    const isList = symbol === 'in' || symbol === 'notin';
    return compiled(key, operator, isList ? this.#list() : [this.#value()]);
  }

  #value(): string {
    const { text } = this.#peek();
    if (text === '' || text === ',') return '';
    const value = this.#take();
    if (!isWord(value)) throw unparsable(`found '${value.text}', expected: identifier`);
    return value.text;
  }

  #list(): string[] {
    const open = this.#take();
    if (open.text !== '(') throw unparsable(`found '${open.text}' expected: '('`);
    const next = this.#peek();
    if (next.text === ')') {
      this.#take();
      return [''];
    }
    if (!isWord(next) && next.text !== ',') throw unparsable(`found '${next.text}', expected: ',', ')' or identifier`);
    const values = this.#identifiers();
    const close = this.#take();
    if (close.text !== ')') throw unparsable(`found '${close.text}', expected: ')'`);
    return [...values].sort();
  }

  #identifiers(): Set<string> {
    const values = new Set<string>();
    for (;;) {
      const token = this.#take();
      if (isWord(token)) {
        values.add(token.text);
        const { text } = this.#peek();
        if (text === ')') return values;
        if (text !== ',') throw unparsable(`found '${text}', expected: ',' or ')'`);
      } else if (token.text === ',') {
        if (values.size === 0) values.add('');
        const { text } = this.#peek();
        if (text === ')') return values.add('');
        if (text === ',') {
          this.#take();
          values.add('');
        }
      } else throw unparsable(`found '${token.text}', expected: ',', or identifier`);
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? END;
  }

  #take(): Token {
    const token = this.#peek();
    this.#at++;
    return token;
  }
}

const END: Token = { text: '', isSymbol: false };

function isWord({ text, isSymbol }: Token): boolean {
  return text !== '' && !isSymbol;
}

function unparsable(why: string): Error {
  return badRequest(`unable to parse requirement: ${why}`);
}

function compiled(key: string, operator: RequirementOperator, values: readonly string[]): LabelMatcher {
  const matcher = compileRequirement(key, operator, values, '');
  if (typeof matcher === 'function') return matcher;
  const ofKey = matcher.errors.find((error) => error.startsWith('key: '));
  throw unparsable(ofKey?.replace(/^key: /, '<nil>: ') ?? joinErrors(matcher.errors));
}
