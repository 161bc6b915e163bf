import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NodeInfo } from '../../../src/framework/node-info.ts';
import type { PodInfo } from '../../../src/framework/pod-info.ts';
import { AntiAffinePods } from '../../../src/plugins/inter-pod-affinity/anti-affine-pods.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';

const term = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web' } } };
const AFFINITIES = [
  {},
  { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
  { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
  { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] } },
];
/** Of these, only pods of the third kind have required anti-affinity. */
const ANTI_AFFINE = 2;

const arbitrarySteps = fc.array(
  fc.record({
    what: fc.constantFrom('add', 'add', 'remove', 'moveToEnd', 'replaceNode', 'read'),
    slot: fc.nat(2),
    kind: fc.nat(AFFINITIES.length - 1),
    which: fc.nat(9),
  }),
  { maxLength: 40 },
);

test('the list of a node follows its pods', () => {
  fc.assert(
    fc.property(arbitrarySteps, (steps) => {
      const newNode = (slot: number, order: number) => new NodeInfo(slot, order, makeNode(`n${slot}`));
      const nodes = [0, 1, 2].map((slot) => newNode(slot, slot));
      const [antiAffine, known] = [new Set<PodInfo>(), new AntiAffinePods()];
      steps.forEach(({ what, slot, kind, which }, i) => {
        const node = nodes[slot] as NodeInfo;
        const pod = node.pods[which % Math.max(1, node.pods.length)];
        if (what === 'add') {
          const added = makePodInfo({ metadata: { name: `p${i}` }, spec: { affinity: AFFINITIES[kind] } });
          if (kind === ANTI_AFFINE) antiAffine.add(added);
          node.addPod(added);
        } else if (what === 'remove' && pod !== undefined) node.removePod(pod);
        else if (what === 'moveToEnd' && pod !== undefined) node.moveToEnd(pod);
        else if (what === 'replaceNode') nodes[slot] = newNode(slot, 3 + i);
        for (const each of nodes) expect(known.on(each)).toEqual(each.pods.filter((other) => antiAffine.has(other)));
      });
    }),
  );
});
