import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Labels } from '../../src/api/meta.ts';
import type { Node } from '../../src/api/node.ts';
import {
  compilePreferredNodeAffinity,
  compileRequiredNodeAffinity,
  type NodeSelectorRequirement,
  type NodeSelectorTerm,
} from '../../src/api/node-selector.ts';

const node = (labels: Labels | undefined, name: string | undefined = 'n1'): Node => ({ metadata: { name, labels } });
const expr = (key: string, operator: string, ...values: string[]): NodeSelectorRequirement => ({
  key,
  operator,
  values,
});
const all = (...matchExpressions: NodeSelectorRequirement[]): NodeSelectorTerm => ({ matchExpressions });
const field = (...matchFields: NodeSelectorRequirement[]): NodeSelectorTerm => ({ matchFields });
const required = (...nodeSelectorTerms: NodeSelectorTerm[]) =>
  compileRequiredNodeAffinity({
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
  });

describe('required node affinity', () => {
  test('without one every node matches', () => {
    expect(compileRequiredNodeAffinity(undefined).match({})).toBe(true);
    expect(compileRequiredNodeAffinity({ affinity: { nodeAffinity: {} } }).match(node({}))).toBe(true);
  });

  test('matchStrictly throws where only malformed terms are left', () => {
    const malformed = all(expr('k', 'Near'));
    const either = required(malformed, all(expr('k', 'Exists')));
    expect(either.matchStrictly(node({ k: '' }))).toBe(true);
    expect(either.match(node({}))).toBe(false);
    expect(() => either.matchStrictly(node({}))).toThrow(
      'nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: "Near"',
    );
    expect(required(all(expr('k', 'Exists'))).matchStrictly(node({}))).toBe(false);
    const selective = compileRequiredNodeAffinity({
      nodeSelector: { disk: 'ssd' },
      affinity: {
        nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [malformed] } },
      },
    });
    expect(selective.matchStrictly(node({}))).toBe(false);
    expect(() => selective.matchStrictly(node({ disk: 'ssd' }))).toThrow('Near');
    expect(compileRequiredNodeAffinity({ nodeSelector: { disk: 'ssd' } }).matchStrictly(node({}))).toBe(false);
  });

  test('nodeSelector and terms must both hold', () => {
    const affinity = compileRequiredNodeAffinity({
      nodeSelector: { disk: 'ssd' },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [all(expr('zone', 'Exists'))] },
        },
      },
    });
    expect(affinity.match(node({ disk: 'ssd', zone: 'a' }))).toBe(true);
    expect(affinity.match(node({ disk: 'ssd' }))).toBe(false);
    expect(affinity.match(node({ zone: 'a' }))).toBe(false);
  });

  test.each<[NodeSelectorRequirement, string | undefined, boolean]>([
    [expr('k', 'In', 'a', 'b'), 'b', true],
    [expr('k', 'In', 'a'), undefined, false],
    [expr('k', 'NotIn', 'a'), undefined, true],
    [expr('k', 'NotIn', 'a'), 'a', false],
    [expr('k', 'Exists'), '', true],
    [expr('k', 'DoesNotExist'), '', false],
    [expr('k', 'Gt', '5'), '6', true],
    [expr('k', 'Gt', '5'), '5', false],
    [expr('k', 'Lt', '5'), '-1', true],
    [expr('k', 'Lt', '5'), '5', false],
    [expr('k', 'Lt', '5'), undefined, false],
    [expr('k', 'Gt', '5'), '6x', false],
    [expr('k', 'Gt', '5'), '', false],
    [expr('k', 'Gt', '9007199254740992'), '9007199254740993', true],
    [expr('k', 'Gt', '5'), '9223372036854775808', false],
  ])('%j against %j: %s', (requirement, value, expected) => {
    expect(required(all(requirement)).match(node(value === undefined ? {} : { k: value }))).toBe(expected);
  });

  test('terms are alternatives; none, an empty or a malformed one matches nothing', () => {
    expect(required().match(node({}))).toBe(false);
    expect(required({}).match(node({}))).toBe(false);
    expect(required(all(expr('k', 'Nope'))).match(node({ k: '1' }))).toBe(false);
    expect(required(all(expr('k', 'Gt', 'x')), {}, all(expr('k', 'Exists'))).match(node({ k: '1' }))).toBe(true);
  });

  test('matchFields compares the name of the node', () => {
    expect(required(field(expr('metadata.name', 'In', 'n1'))).match(node({}))).toBe(true);
    expect(required(field(expr('metadata.name', 'NotIn', 'n1'))).match(node({}))).toBe(false);
    expect(required(field(expr('metadata.name', 'In', 'n1', 'n2'))).match(node({}))).toBe(false);
    expect(required(field(expr('metadata.name', 'Exists'))).match(node({}))).toBe(false);
    expect(required(field(expr('metadata.other', 'In', 'n1'))).match(node({}))).toBe(false);
    expect(required({ ...all(expr('k', 'Exists')), ...field(expr('metadata.name', 'In', 'n1')) }).match(node({}))).toBe(
      false,
    );
    expect(required(field(expr('metadata.name', 'In', 'n1'))).match(node({}, ''))).toBe(true);
  });
});

describe('preferred node affinity', () => {
  const preferred = (...terms: [number, NodeSelectorTerm][]) =>
    compilePreferredNodeAffinity(terms.map(([weight, preference]) => ({ weight, preference })));

  test('the score is the sum of the weights that match', () => {
    const compiled = preferred(
      [5, all(expr('a', 'Exists'))],
      [3, all(expr('b', 'Exists'))],
      [7, {}],
      [0, all(expr('', '?'))],
    );
    if ('error' in compiled) throw new Error(compiled.error);
    expect(compiled.score(node({ a: '', b: '' }))).toBe(8);
    expect(compiled.score(node({ b: '' }))).toBe(3);
    expect(compiled.score(node(undefined))).toBe(0);
  });

  test('a negative bound is refused as a label value', () => {
    expect(preferred([5, all(expr('gen', 'Gt', '-1'))])).toEqual({
      error:
        '[0].matchExpressions[0].values[0][gen]: Invalid value: "-1": a valid label must be an empty ' +
        'string or consist of ' +
        "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
        "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
        "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    });
  });

  test('all errors of all terms are reported together, each once', () => {
    expect(
      preferred(
        [1, all(expr('k', 'Nope'), expr('k', 'In'))],
        [1, all(expr('k', 'Exists'))],
        [1, field(expr('metadata.name', 'Gt'), expr('metadata.name', 'In', 'a', 'b'))],
        [1, all(expr('k', 'Lt', 'x'))],
      ),
    ).toEqual({
      error:
        '[[0].matchExpressions[0].operator: Unsupported value: "Nope": supported values: "In", "NotIn", ' +
        '"Exists", "DoesNotExist", "Gt", "Lt", ' +
        "[0].matchExpressions[1].values: Invalid value: null: for 'in', 'notin' operators, " +
        "values set can't be empty, " +
        '[2].matchFields[0].operator: Unsupported value: "Gt": supported values: "In", "NotIn", ' +
        '[2].matchFields[1].values: Invalid value: ["a","b"]: must have one element, ' +
        "[3].matchExpressions[0].values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value " +
        'must be an integer]',
    });
  });
});

test('a required term and the same preferred term agree', () => {
  const key = fc.constantFrom('a', 'b', 'metadata.name');
  const value = fc.constantFrom('1', '2', '30', 'x');
  const requirement = fc.record({
    key,
    operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'),
    values: fc.array(value, { maxLength: 2 }),
  });
  const term = fc.record({
    matchExpressions: fc.array(requirement, { maxLength: 2 }),
    matchFields: fc.array(requirement, { maxLength: 1 }),
  });
  fc.assert(
    fc.property(fc.array(term, { maxLength: 3 }), fc.dictionary(key, value), (terms, labels) => {
      const scores = terms.map((preference) => {
        const compiled = compilePreferredNodeAffinity([{ weight: 1, preference }]);
        return 'error' in compiled ? 0 : compiled.score(node(labels));
      });
      expect(required(...terms).match(node(labels))).toBe(
        terms.some((each, index) => scores[index] === 1 && each.matchExpressions.length + each.matchFields.length > 0),
      );
    }),
  );
});
