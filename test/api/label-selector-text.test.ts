import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLabelSelector, type LabelSelector, type Selector } from '../../src/api/label-selector.ts';
import { formatLabelSelector, parseLabelSelector } from '../../src/api/label-selector-text.ts';
import type { Labels } from '../../src/api/meta.ts';

function matches(text: string, labels: Labels | undefined): boolean {
  const selector = parseLabelSelector(text);
  if ('error' in selector) throw new Error(selector.error);
  return selector.matches(labels);
}

describe('parseLabelSelector', () => {
  it.each<[string, Labels | undefined, boolean]>([
    ['', undefined, true],
    ['  ', { a: '1' }, true],
    ['a', { a: '' }, true],
    ['a', { b: '1' }, false],
    ['!a', { b: '1' }, true],
    ['! a', { a: '1' }, false],
    ['a=1', { a: '1' }, true],
    ['a == 1', { a: '2' }, false],
    ['a=', { a: '' }, true],
    ['a=,b=2', { a: '', b: '2' }, true],
    ['a!=1', { a: '1' }, false],
    ['a!=1', {}, true],
    ['a in (1,2)', { a: '2' }, true],
    ['a in(1, 2)', { a: '3' }, false],
    ['a in (,1)', { a: '' }, true],
    ['a in ()', { a: '' }, true],
    ['a notin (1,2)', { a: '3' }, true],
    ['a notin (1,2)', {}, true],
    ['a>5', { a: '6' }, true],
    ['a < 5', { a: '6' }, false],
    ['example.com/a=x.y_z-1,b', { 'example.com/a': 'x.y_z-1', b: '' }, true],
    ['in in (in)', { in: 'in' }, true],
    ['a,!b,c notin (d)', { a: '', c: 'e' }, true],
  ])('"%s" of %j is %s', (text, labels, expected) => {
    expect(matches(text, labels)).toBe(expected);
  });

  it.each([
    [',', 'found ",", expected a label key'],
    ['a,', 'found "", expected a label key'],
    ['a b', 'found "b", expected one of =, ==, !=, in, notin, <, >'],
    ['a=1 b', `found "b", expected ',' or the end`],
    ['a in 1', `found "1", expected '('`],
    ['a in (1', `found "", expected ',' or ')'`],
    ['a in (1 2)', `found "2", expected ',' or ')'`],
    ['=1', 'found "=", expected a label key'],
    ['!', 'found "", expected a label key'],
    ['!a=1', `found "=", expected ',' or the end`],
    ['a=1=2', `found "=", expected ',' or the end`],
    ['a>x', "values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer"],
    ['-a', 'key: Invalid value: "-a": name part must consist of'],
    ['a=-', 'values[0][a]: Invalid value: "-": a valid label must be an empty string or consist of'],
  ])('refuses "%s"', (text, message) => {
    const selector = parseLabelSelector(text);
    expect('error' in selector && selector.error).toContain(message);
  });

  it('understands or refuses any text', () => {
    const pieces = fc.constantFrom(
      'a',
      'b',
      'in',
      'notin',
      '=',
      '==',
      '!',
      '!=',
      ',',
      '(',
      ')',
      '<',
      '>',
      ' ',
      '1',
      '-',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const selector = parseLabelSelector(parts.join(''));
        if ('error' in selector) expect(selector.error).not.toBe('');
        else expect(typeof selector.matches({ a: '1' })).toBe('boolean');
      }),
    );
  });
});

describe('formatLabelSelector', () => {
  it.each<[LabelSelector, string]>([
    [{}, ''],
    [{ matchLabels: { b: '2', a: '' } }, 'a=,b=2'],
    [
      {
        matchExpressions: [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'DoesNotExist' },
        ],
      },
      'a,!b',
    ],
    [{ matchExpressions: [{ key: 'tier', operator: 'In', values: ['y', 'x'] }] }, 'tier in (x,y)'],
    [
      { matchLabels: { b: '1' }, matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['x'] }] },
      'a notin (x),b=1',
    ],
  ])('%j is %j, and is read as the same', (selector, text) => {
    expect(formatLabelSelector(selector)).toBe(text);
    const [read, compiled] = [parseLabelSelector(text), compileLabelSelector(selector)] as Selector[];
    for (const labels of [{}, { a: 'x' }, { a: '', b: '2' }, { b: '1' }, { tier: 'x' }]) {
      expect([labels, read?.matches(labels)]).toEqual([labels, compiled?.matches(labels)]);
    }
  });
});
