import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFieldSelector } from '../../../src/apiserver/requests/field-selector.ts';
import { parseLabelSelector } from '../../../src/apiserver/requests/label-selector.ts';
import { BUILT_IN_RESOURCES } from '../../../src/apiserver/resources/built-in-resources.ts';
import type { ApiResource } from '../../../src/kinds/object/api-resource.ts';
import { StatusError } from '../../../src/kinds/object/status-error.ts';

const PODS = BUILT_IN_RESOURCES.find(({ resource }) => resource === 'pods') as ApiResource;

test.each([
  ['env=prod', { env: 'prod' }, true],
  ['env==prod', { env: 'dev' }, false],
  ['env!=prod', {}, true],
  ['env=', { env: '' }, true],
  ['env in (a,b)', { env: 'b' }, true],
  ['env in ()', { env: '' }, true],
  ['env notin (a, b)', { env: 'c' }, true],
  ['env', { env: 'x' }, true],
  ['!env', { env: 'x' }, false],
  ['n > 3,n<9', { n: '5' }, true],
  [' in in (in) ', { in: 'in' }, true],
])('%s on %j is %s', (text, labels, expected) => {
  expect(parseLabelSelector(text)?.(labels)).toBe(expected);
});

test.each([
  ['a===b', "unable to parse requirement: found '=', expected: identifier"],
  ['a,,b', "found ',', expected: identifier after ','"],
  ['(x)', "found '(', expected: !, identifier, or 'end of string'"],
  ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['env in (a b)', "unable to parse requirement: found 'b', expected: ',' or ')'"],
])('%s is refused as the API does', (text, message) => {
  expect(() => parseLabelSelector(text)).toThrow(message);
});

test.each([
  ['metadata.name=a,spec.nodeName=', { metadata: { name: 'a' } }, true],
  ['spec.hostNetwork=false', { spec: {} }, true],
  ['status.phase!=Failed', { status: { phase: 'Failed' } }, false],
  ['metadata.name=a\\,b', { metadata: { name: 'a,b' } }, true],
  ['spec.host=n', { spec: { nodeName: 'n' } }, true],
  ['status.podIPs=1.1.1.1', { status: { podIPs: [{ ip: '1.1.1.1' }] } }, false],
])('%s on %j is %s', (text, pod, expected) => {
  expect(parseFieldSelector(text, PODS)?.matches(pod)).toBe(expected);
});

test.each([
  ['foo', "invalid selector: 'foo'; can't understand 'foo'"],
  ['spec.x=1', 'field label not supported: spec.x'],
  ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
])('%s is refused as the API does', (text, message) => {
  expect(() => parseFieldSelector(text, PODS)).toThrow(message);
});

test.each([
  ['resourceslices', 'spec.driver=a', undefined],
  ['resourceslices', 'spec.x=a', 'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: spec.x'],
  ['nodes', 'metadata.namespace=a', 'field label not supported: metadata.namespace'],
  ['namespaces', 'metadata.namespace=a', 'field label not supported: metadata.namespace'],
  ['persistentvolumes', 'metadata.namespace=a', undefined],
])('%s may be selected by %s, or why not', (name, text, problem) => {
  const kind = BUILT_IN_RESOURCES.find(({ resource }) => resource === name) as ApiResource;
  const parse = (): unknown => parseFieldSelector(text, kind);
  if (problem === undefined) expect(parse()).toBeDefined();
  else expect(parse).toThrow(problem);
});

test('any text is a selector or a bad request', () => {
  const text = fc.string({ unit: fc.constantFrom(...'abin!=,()<> \\.'), maxLength: 12 });
  const parse = (run: () => unknown): void => {
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(StatusError);
      expect((error as StatusError).code).toBe(400);
    }
  };
  fc.assert(
    fc.property(text, (selector) => {
      parse(() => parseLabelSelector(selector));
      parse(() => parseFieldSelector(selector, PODS));
    }),
  );
});
