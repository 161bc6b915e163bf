import { describe, expect, it } from 'vitest';
import { readBody } from '../../../src/kinds/schema/body-reader.ts';

describe('a mistake in YAML', () => {
  it.each([
    ['a: [', 'yaml: line 1: did not find expected node content'],
    ['a: [1', "yaml: line 1: did not find expected ',' or ']'"],
    ['a: {b: 1', "yaml: line 1: did not find expected ',' or '}'"],
    ['apiVersion: v1\n\tkind: x', 'yaml: line 2: found a tab character that violates indentation'],
    ['a: b: c', 'yaml: line 1: mapping values are not allowed in this context'],
    ['a: "b', 'yaml: line 1: found unexpected end of stream'],
    ['a: 1\n b: 2', 'yaml: line 2: mapping values are not allowed in this context'],
  ])('%j is told in the words of Go', (text, problem) => {
    expect(() => readBody(text, 'application/yaml')).toThrow(problem);
  });
});
