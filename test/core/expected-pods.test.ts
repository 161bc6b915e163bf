import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExpectedPods } from '../../src/core/expected-pods.ts';
import type { PodTemplate } from '../../src/core/pod-templates.ts';
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

test('pods of a template with topology constraints are counted from the first question on', () => {
  const { pods } = new ClusterState(podRequirements);
  const spread = { hasTopology: true } as PodTemplate;
  const plain = { hasTopology: false } as PodTemplate;
  const batchOf = (shortList: number): ExpectedPods => {
    const expected = new ExpectedPods(40, pods.byName, shortList);
    for (let i = 0; i < 40; i++) {
      const info = pods.info(makePod(`p${i}`));
      info.template = i % 3 === 0 ? spread : plain;
      expected.add(info, ANY_SLOT);
    }
    return expected;
  };
  for (const shortList of [0, 40]) {
    const expected = batchOf(shortList);
    expected.next = 13;
    expect([expected.hasMany(spread), expected.hasMany(plain)]).toEqual([true, false]);
    expected.next = 16;
    expect(expected.hasMany(spread)).toBe(true);
    // Eight pods are left from here on, as many as would be searched for.
    expect(Object.assign(batchOf(shortList), { next: 16 }).hasMany(spread)).toBe(false);
  }
});
