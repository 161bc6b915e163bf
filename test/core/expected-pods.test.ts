import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExpectedPods } from '../../src/core/expected-pods.ts';
import { ANY_SLOT } from '../../src/engine/index/signature-index.ts';
import { ClusterState } from '../../src/framework/cluster/cluster-state.ts';
import { type PodInfo, podRequirements } from '../../src/framework/pod-info.ts';
import { makePod } from '../builders/make-pod.ts';

const pod = fc.record({
  /** Whether the pod was known before, with a node that is nominated for it. */
  isNominated: fc.nat(5).map((n) => n === 0),
  slot: fc.oneof({ weight: 9, arbitrary: fc.constant(ANY_SLOT) }, { weight: 1, arbitrary: fc.nat(9) }),
});

test('the pods of a batch are those whose attempts began, whether they were known, and whatever was free', () => {
  fc.assert(
    fc.property(
      fc.array(pod, { maxLength: 30 }),
      fc.array(fc.boolean(), { maxLength: 20 }),
      fc.nat(30),
      (batch, gone, shortList) => {
        const { pods } = new ClusterState(podRequirements);
        for (const i of gone.keys()) pods.add(makePod(`before-${i}`));
        for (const [i, isGone] of gone.entries()) if (isGone) pods.remove('default', `before-${i}`);
        for (const [i, { isNominated }] of batch.entries()) {
          if (isNominated) pods.add({ ...makePod(`p${i}`), status: { nominatedNodeName: 'n' } });
        }
        const expected = new ExpectedPods(batch.length, pods.byName, shortList);
        const infos = batch.map(({ slot }, i) => {
          const info = pods.startAttempt(pods.info(makePod(`p${i}`))) as PodInfo;
          expected.add(info, slot);
          return info;
        });
        expect(expected).toMatchObject({ length: batch.length, count: batch.length });
        // The attempts of some end, and other pods take their entries.
        for (const [i, info] of infos.entries()) if (i % 3 === 0) pods.forget(info);
        for (const i of infos.keys()) if (i % 3 === 0) pods.add(makePod(`after-${i}`));
        for (const [i, info] of infos.entries()) {
          if (i % 3 !== 0) expect(expected.info(i)).toBe(info);
          expect(expected.slot(i)).toBe(batch[i]?.slot);
        }
      },
    ),
  );
});
