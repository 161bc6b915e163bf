import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOfPodGroup, podGroupKeyOf } from '../../src/api/pod-group.ts';

const name = fc.constantFrom('', 'a', 'b');

describe('keyOfPodGroup', () => {
  it('is namespace and name, whatever was asked for before', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, name)), (groups) => {
        for (const [namespace, podGroupName] of groups) {
          expect(keyOfPodGroup(namespace, podGroupName)).toBe(`${namespace}/${podGroupName}`);
          const pod = { metadata: { namespace }, spec: { schedulingGroup: { podGroupName } } };
          expect(podGroupKeyOf(pod)).toBe(podGroupName === '' ? '' : `${namespace || 'default'}/${podGroupName}`);
        }
      }),
    );
  });
});
