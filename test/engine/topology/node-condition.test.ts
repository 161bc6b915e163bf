import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import { type NodeCondition, takesPart } from '../../../src/engine/topology/node-condition.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';

const labels = fc.record({
  zone: fc.constantFrom('a', 'b', undefined),
  pool: fc.constantFrom('x', 'y', undefined),
});
const taints = fc.constantFrom([], [{ key: 'spot', effect: 'NoSchedule' as const }]);
const nodes = fc.array(fc.record({ labels, taints }), { minLength: 1, maxLength: 12 });

/** Nodes of pool x in a zone, without taints. */
function includes({ metadata, spec }: Node): boolean {
  const { zone, pool } = metadata?.labels ?? {};
  return zone !== undefined && pool === 'x' && !spec?.taints?.length;
}

test('nodes that look the same are asked once, with the answer of asking each', () => {
  fc.assert(
    fc.property(nodes, fc.boolean(), (sketches, mayReadAll) => {
      const made = sketches.map((sketch, i) =>
        makeNode(`n${i}`, { labels: JSON.parse(JSON.stringify(sketch.labels)), taints: sketch.taints }),
      );
      const { cluster, attributes, topology } = new EngineColumns().add(...made);
      let asked = 0;
      const condition: NodeCondition = {
        key: 'x',
        topologyKeys: ['zone'],
        looksAt: mayReadAll ? null : { taints: true, labels: ['pool'] },
        includes: (node) => {
          asked++;
          return includes(node);
        },
      };
      const answer = takesPart(condition, { cluster, attributes, domains: (key) => topology.domains(key) });
      expect(made.map(({ metadata }) => answer(cluster.node(metadata?.name ?? '')?.slot ?? -1))).toEqual(
        made.map(includes),
      );
      const inZone = sketches.filter((sketch) => sketch.labels.zone !== undefined);
      const looks = new Set(inZone.map(({ labels: { pool }, taints }) => `${pool} ${taints.length}`));
      expect(asked).toBe(mayReadAll ? made.length : looks.size);
    }),
    { numRuns: 60 },
  );
});
