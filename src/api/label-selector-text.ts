/**
 * Label selectors as text in a URL or on a command line: `app=web,tier in (a,b),!canary`
 * (apimachinery/pkg/labels/selector.go).
 */
import { compileRequirement, type LabelMatcher, type RequirementOperator } from './label-requirement.ts';
import { allOf, type LabelSelector, SELECT_EVERYTHING, type Selector } from './label-selector.ts';

interface Requirement {
  readonly key: string;
  readonly operator: RequirementOperator;
  readonly values: readonly string[];
}

/** A token: a symbol, the longest first, or a word without white space and symbols. */
const TOKEN = /\s*(==|!=|[=!,()<>]|[^\s=!,()<>]+)/y;

/** Parses a selector; an empty text selects everything. */
export function parseLabelSelector(text: string): Selector | { readonly error: string } {
  const tokens = tokensOf(text);
  if (tokens.length === 0) return SELECT_EVERYTHING;
  const matchers: LabelMatcher[] = [];
  for (;;) {
    const requirement = readRequirement(tokens);
    if (typeof requirement === 'string') return { error: requirement };
    const compiled = compileRequirement(requirement.key, requirement.operator, requirement.values, '');
    if (typeof compiled !== 'function') return { error: compiled.errors.join('; ') };
    matchers.push(compiled);
    const separator = take(tokens);
    if (separator === '') break;
    if (separator !== ',') return { error: `found ${JSON.stringify(separator)}, expected ',' or the end` };
  }
  return allOf(matchers);
}

/** The selector as text, with its requirements ordered by key. */
export function formatLabelSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const requirements = [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, text: `${key}=${value}` })),
    ...matchExpressions.map(({ key, operator, values = [] }) => ({ key, text: expressionText(key, operator, values) })),
  ];
  requirements.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1));
  return requirements.map(({ text }) => text).join(',');
}

function expressionText(key: string, operator: string, values: readonly string[]): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.toSorted().join(',')})`;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) tokens.push(TOKEN.exec(text)?.[1] ?? '');
  return tokens;
}

/** The requirement, or an error message. */
function readRequirement(tokens: string[]): Requirement | string {
  const isNegated = takeIf(tokens, '!');
  const key = take(tokens);
  if (!isWord(key)) return `found ${JSON.stringify(key)}, expected a label key`;
  if (isNegated) return { key, operator: 'DoesNotExist', values: [] };
  if (tokens.length === 0 || tokens[0] === ',') return { key, operator: 'Exists', values: [] };

  const symbol = take(tokens);
  switch (symbol) {
    case '=':
    case '==':
      return { key, operator: 'Equals', values: [readValue(tokens)] };
    case '!=':
      return { key, operator: 'NotIn', values: [readValue(tokens)] };
    case '>':
      return { key, operator: 'Gt', values: [readValue(tokens)] };
    case '<':
      return { key, operator: 'Lt', values: [readValue(tokens)] };
    case 'in':
    case 'notin': {
      const values = readList(tokens);
      if (typeof values === 'string') return values;
      return { key, operator: symbol === 'in' ? 'In' : 'NotIn', values };
    }
    default:
      return `found ${JSON.stringify(symbol)}, expected one of =, ==, !=, in, notin, <, >`;
  }
}

/** Reads a value; nothing before the next comma is the empty value. */
function readValue(tokens: string[]): string {
  return isWord(tokens[0] ?? '') ? take(tokens) : '';
}

/** Reads a list such as `(a,b)`; nothing between two commas is the empty value. */
function readList(tokens: string[]): string[] | string {
  if (!takeIf(tokens, '(')) return `found ${JSON.stringify(tokens[0] ?? '')}, expected '('`;
  const values = [readValue(tokens)];
  while (takeIf(tokens, ',')) values.push(readValue(tokens));
  return takeIf(tokens, ')') ? values : `found ${JSON.stringify(tokens[0] ?? '')}, expected ',' or ')'`;
}

function isWord(token: string): boolean {
  return /^[^\s=!,()<>]/.test(token);
}

/** Takes the next token; '' stands for the end. */
function take(tokens: string[]): string {
  return tokens.shift() ?? '';
}

function takeIf(tokens: string[], token: string): boolean {
  if (tokens[0] !== token) return false;
  tokens.shift();
  return true;
}
