import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeFeed } from '../../../src/engine/columns/attempt-masks.ts';
import { NodesByLabel } from '../../../src/plugins/volume-binding/nodes-by-label.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';

test('finds the nodes that have the label now', () => {
  const change = fc.tuple(
    fc.constantFrom('n0', 'n1', 'n2', 'n3'),
    fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y')),
    fc.constantFrom('set', 'set', 'remove'),
    fc.boolean(),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const cluster = makeCluster([]);
      const nodes = new NodesByLabel();
      for (const [name, labels, action, isRead] of changes) {
        const isKnown = cluster.node(name) !== undefined;
        if (action === 'remove') {
          if (isKnown) cluster.removeNode(name);
        } else if (isKnown) cluster.updateNode(makeNode(name, { labels }));
        else cluster.addNode(makeNode(name, { labels }));
        if (!isRead) continue;
        const having = [...cluster.knownNodes()].filter(({ node }) => node.metadata?.labels?.['a'] === 'x');
        expect(nodes.slotsOf('a', 'x', nodeFeed(cluster))).toEqual(new Set(having.map(({ slot }) => slot)));
      }
    }),
  );
});
