import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClusterObjects } from '../../../src/framework/cluster-objects.ts';
import { serviceSelectorsOf } from '../../../src/plugins/pod-topology-spread/service-selectors.ts';

const name = fc.constantFrom('a', 'b', 'c', 'd');
const namespace = fc.constantFrom('default', 'other', undefined);
const labels = fc.dictionary(fc.constantFrom('app', 'tier', 'a=b', '__proto__'), fc.constantFrom('x', 'y', 'b=x', ''));
const step = fc.record({
  kind: fc.constantFrom('set', 'set', 'remove', 'ask', 'ask'),
  ...{ name, namespace, selector: fc.option(labels, { nil: undefined }), labels },
});

test('are those that a look at every service of the namespace finds', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const objects = new ClusterObjects();
      for (const each of steps) {
        const metadata = { name: each.name, ...(each.namespace !== undefined && { namespace: each.namespace }) };
        const place = each.namespace ?? 'default';
        if (each.kind === 'set') objects.set('Service', { metadata, spec: { selector: each.selector } });
        else if (each.kind === 'remove') objects.remove('Service', each.name, place);
        else {
          const wanted = [...objects.list('Service', place)].flatMap(({ spec }) => {
            const selector = spec?.selector;
            const entries = Object.entries(selector ?? {});
            const selects = entries.every(
              ([key, value]) => Object.hasOwn(each.labels, key) && each.labels[key] === value,
            );
            return selector !== undefined && selects ? [selector] : [];
          });
          const found = serviceSelectorsOf(
            { metadata: { ...metadata, labels: each.labels }, spec: undefined },
            objects,
          );
          expect(new Set(found)).toEqual(new Set(wanted));
          expect(found.length).toBe(wanted.length);
        }
      }
    }),
    { numRuns: 300 },
  );
});
