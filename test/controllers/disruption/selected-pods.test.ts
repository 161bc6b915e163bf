import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileLabelSelector } from '../../../src/api/label-selector.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { Indexer } from '../../../src/client/informer/indexer.ts';
import { selectedPods } from '../../../src/controllers/disruption/selected-pods.ts';
import { arbitraryLabelSelector, arbitraryPodLabels } from '../../builders/arbitrary-topology.ts';

const step = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  namespace: fc.constantFrom('x', 'y'),
  labels: arbitraryPodLabels,
  selector: arbitraryLabelSelector,
});

it('finds the pods that a selector matches, as looking at all of them does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const lister = new Indexer<Pod>();
      const pods = { lister, addIndex: lister.addIndex.bind(lister) };
      for (const { name, namespace, labels, selector } of steps) {
        lister.set({ metadata: { name, namespace, ...(labels && { labels }) } });
        const compiled = compileLabelSelector(selector);
        if ('error' in compiled) continue;
        const found = selectedPods(pods, namespace, compiled);
        expect(new Set(found)).toEqual(new Set(lister.inNamespace(namespace).list(compiled)));
        expect(found.length).toBe(new Set(found).size);
      }
    }),
  );
});
