import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { StatusError } from '../../../src/kinds/object/status-error.ts';
import { apiTypes } from '../../../src/kinds/schema/go-types.ts';
import { strategicMerge } from '../../../src/kinds/schema/strategic-merge.ts';

const POD = apiTypes().struct('core/v1.Pod')!;

function merged(target: object, patch: object): JsonObject {
  return strategicMerge(POD, target as JsonObject, patch as JsonObject);
}

const containers = (...names: string[]) => ({ spec: { containers: names.map((name) => ({ name, image: 'a' })) } });

describe('strategicMerge', () => {
  it('merges lists by their keys, and puts items of the patch first', () => {
    const patch = {
      spec: {
        containers: [
          { name: 'c', image: 'new' },
          { name: 'b', image: 'b2' },
        ],
      },
    };
    expect(merged(containers('a', 'b'), patch)).toEqual({
      spec: {
        containers: [
          { name: 'c', image: 'new' },
          { name: 'a', image: 'a' },
          { name: 'b', image: 'b2' },
        ],
      },
    });
  });

  it('deletes and replaces by directive', () => {
    const remove = { spec: { containers: [{ name: 'a', $patch: 'delete' }] } };
    expect(merged(containers('a', 'b'), remove)).toEqual(containers('b'));
    const replace = { spec: { containers: [{ $patch: 'replace' }, { name: 'z' }] } };
    expect(merged(containers('a', 'b'), replace)).toEqual({ spec: { containers: [{ name: 'z' }] } });
  });

  it('keeps only the retained members of a volume', () => {
    const target = { spec: { volumes: [{ name: 'v', emptyDir: {} }] } };
    const patch = { spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/h' } }] } };
    expect(merged(target, patch)).toEqual({ spec: { volumes: [{ name: 'v', hostPath: { path: '/h' } }] } });
  });

  it('removes values of primitive lists, and orders them', () => {
    const target = { metadata: { finalizers: ['a/1', 'a/2', 'a/3'] } };
    const patch = {
      metadata: { '$deleteFromPrimitiveList/finalizers': ['a/2'], '$setElementOrder/finalizers': ['a/3', 'a/1'] },
    };
    expect(merged(target, patch)).toEqual({ metadata: { finalizers: ['a/3', 'a/1'] } });
  });

  it('refuses unknown directives, items without key, and an order that contradicts', () => {
    const bad = (patch: object): unknown => {
      try {
        return merged(containers('a'), patch);
      } catch (error) {
        return error instanceof StatusError ? error.message : error;
      }
    };
    expect(bad({ spec: { containers: [{ name: 'a', $patch: 'bogus' }] } })).toBe(
      'unknown patch type: bogus in map: map[$patch:bogus name:a]',
    );
    expect(bad({ spec: { containers: [{ image: 'x' }] } })).toBe(
      'map: map[image:x] does not contain declared merge key: name',
    );
    expect(bad({ spec: { '$setElementOrder/containers': [{ name: 'z' }], containers: [{ name: 'a' }] } })).toContain(
      "doesn't match $setElementOrder list",
    );
  });

  it('changes nothing by an empty patch, and nothing more the second time', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 });
    fc.assert(
      fc.property(names, names, (old, given) => {
        const target = containers(...old);
        const patch = { spec: { containers: given.map((name) => ({ name, image: `${name}2` })) } };
        expect(merged(target, {})).toEqual(target);
        const once = merged(target, patch);
        expect(merged(once, patch)).toEqual(once);
      }),
    );
  });
});
