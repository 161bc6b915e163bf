import fc from 'fast-check';
import { expect, it } from 'vitest';
import { selects } from '../../../src/api/label-selector.ts';
import { Indexer } from '../../../src/client/informer/indexer.ts';
import { BY_SELECTOR, type Selecting, selecting, selectorKeys } from '../../../src/controllers/owned-pods/selecting.ts';
import { arbitraryLabelSelector, arbitraryPodLabels } from '../../builders/arbitrary-topology.ts';

const name = fc.constantFrom('a', 'b', 'c');
const namespace = fc.constantFrom('x', 'y');
const owner = fc.record({ name, namespace, selector: arbitraryLabelSelector.map((each) => each ?? undefined) });

it('finds those whose selector matches, as asking each of them does', () => {
  fc.assert(
    fc.property(fc.array(owner, { maxLength: 12 }), namespace, arbitraryPodLabels, (owners, where, labels) => {
      const indexer = new Indexer<Selecting>();
      indexer.addIndex(BY_SELECTOR, selectorKeys);
      // Some replace others of their name.
      for (const { selector, ...metadata } of owners) indexer.set({ metadata, spec: { selector } });
      const found = selecting(indexer, { metadata: { namespace: where, labels } });
      const all = indexer.inNamespace(where).list();
      expect(new Set(found)).toEqual(new Set(all.filter(({ spec }) => selects(spec?.selector, labels))));
      expect(found.length).toBe(new Set(found).size);
    }),
  );
});
