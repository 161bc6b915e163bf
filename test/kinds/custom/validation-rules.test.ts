import { describe, expect, it } from 'vitest';
import { ruleErrors } from '../../../src/kinds/custom/validation-rules.ts';
import type { JsonObject, JsonValue } from '../../../src/kinds/object/json.ts';

function problems(schema: JsonObject, value: JsonValue, old?: JsonValue): string[] {
  return ruleErrors(value, old, schema, []).map(({ field, message }) => `${field}: ${message}`);
}

const rules = (...all: JsonObject[]): JsonObject => ({ 'x-kubernetes-validations': all });
const size = { type: 'integer' };

describe('rules of custom resources', () => {
  it('see numbers, texts and times as their types', () => {
    const schema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { size, at: { type: 'string', format: 'date-time' }, part: { type: 'number' } },
          ...rules(
            { rule: 'self.size % 2 == 0' },
            { rule: 'self.at > timestamp("2020-01-01T00:00:00Z")' },
            { rule: 'self.part < 1.5' },
          ),
        },
      },
    };
    expect(problems(schema, { spec: { size: 4, at: '2021-01-01T00:00:00Z', part: 1 } })).toEqual([]);
    expect(problems(schema, { spec: { size: 3, at: '2019-01-01T00:00:00Z', part: 2 } })).toEqual([
      'spec: Invalid value: failed rule: self.size % 2 == 0',
      'spec: Invalid value: failed rule: self.at > timestamp("2020-01-01T00:00:00Z")',
      'spec: Invalid value: failed rule: self.part < 1.5',
    ]);
  });

  it('may make their own messages', () => {
    const rule = { rule: 'self.size < 3', messageExpression: '"too large: " + string(self.size)', fieldPath: '.size' };
    const schema = { type: 'object', properties: { size }, ...rules(rule) };
    expect(problems(schema, { size: 5 })).toEqual(['.size: Invalid value: too large: 5']);
  });

  it('compare with the value before, in lists by key', () => {
    const item = {
      type: 'object',
      properties: { name: { type: 'string' }, size },
      ...rules({ rule: 'self.size >= oldSelf.size' }),
    };
    const schema = {
      type: 'array',
      items: item,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    };
    const before = [
      { name: 'a', size: 5 },
      { name: 'b', size: 1 },
    ];
    const after = [
      { name: 'b', size: 2 },
      { name: 'a', size: 3 },
      { name: 'c', size: 0 },
    ];
    expect(problems(schema, after, before)).toEqual(['[1]: Invalid value: failed rule: self.size >= oldSelf.size']);
  });

  it('reach properties whose names CEL does not know', () => {
    const schema = {
      type: 'object',
      properties: { 'my-size': size, namespace: { type: 'string' } },
      ...rules({ rule: 'self.my__dash__size > 0 && self.__namespace__ != ""' }),
    };
    expect(problems(schema, { 'my-size': 1, namespace: 'x' })).toEqual([]);
    expect(problems(schema, { 'my-size': 0, namespace: 'x' })).toHaveLength(1);
  });

  it('tell what could not be evaluated', () => {
    const schema = { type: 'object', properties: { size }, ...rules({ rule: 'self.size > 0' }) };
    expect(problems(schema, {})).toEqual([': Invalid value: no such key: size evaluating rule: self.size > 0']);
  });
});
