import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { PodCounts } from '../../../src/simulation/statistics/pod-counts.ts';
import { UsageMeter } from '../../../src/simulation/statistics/usage-meter.ts';

const podOf = (uid: string, nodeName: string, phase: string): Pod => ({
  metadata: { uid },
  spec: {
    restartPolicy: uid === 'a' ? 'Never' : 'Always',
    ...(nodeName !== '' && { nodeName }),
    containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }],
  },
  status: { phase },
});

const STEP = fc.oneof(
  fc.record({
    verb: fc.constantFrom('set' as const, 'delete' as const),
    uid: fc.constantFrom('a', 'b', 'c', 'd'),
    nodeName: fc.constantFrom('', 'n1', 'n2'),
    phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
  }),
  fc.record({ verb: fc.constant('lost' as const), nodeName: fc.constantFrom('n1', 'n2'), isLost: fc.boolean() }),
);

/** Plays the steps; a bound pod keeps its node. Returns what is counted after each. */
function play(steps: readonly (typeof STEP extends fc.Arbitrary<infer Step> ? Step : never)[], isListedFirst: boolean) {
  const meter = new UsageMeter();
  meter.offer([['cpu', 10_000]], 1, 0);
  const counts = new PodCounts(meter);
  if (isListedFirst) {
    counts.setNodeLost('other', true, 0);
    counts.setNodeLost('other', false, 0);
  }
  const nodeOf = new Map<string, string>();
  return steps.map((step, i) => {
    if (step.verb === 'lost') counts.setNodeLost(step.nodeName, step.isLost, i);
    else {
      const nodeName = nodeOf.get(step.uid) || step.nodeName;
      const pod = podOf(step.uid, nodeName, step.phase);
      if (step.verb === 'set') {
        counts.set(pod, i);
        nodeOf.set(step.uid, nodeName);
      } else {
        counts.delete(pod, i);
        nodeOf.delete(step.uid);
      }
    }
    const { stages, totals, endingCount, waitingCount } = counts;
    return structuredClone({ stages, totals, endingCount, waitingCount, share: meter.share('cpu') });
  });
}

describe('PodCounts', () => {
  it('counts the pods of lost nodes alike, whenever the first node is lost', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 40 }), (steps) => {
        expect(play(steps, false)).toEqual(play(steps, true));
      }),
      { numRuns: 500 },
    );
  });

  it('counts pods of a node that does not answer as unreachable until it does', () => {
    const stages = play(
      [
        { verb: 'set', uid: 'a', nodeName: 'n1', phase: 'Running' },
        { verb: 'lost', nodeName: 'n1', isLost: true },
        { verb: 'set', uid: 'b', nodeName: 'n1', phase: 'Running' },
        { verb: 'lost', nodeName: 'n1', isLost: true },
        { verb: 'lost', nodeName: 'n1', isLost: false },
      ],
      false,
    ).map((each) => [each.stages.Running, each.stages.Unreachable, each.endingCount, each.share]);
    expect(stages).toEqual([
      [1, 0, 1, 0.1],
      [0, 1, 0, 0],
      [0, 2, 0, 0],
      [0, 2, 0, 0],
      [2, 0, 1, 0.2],
    ]);
  });

  it('counts a pod alike, whether it is told how the pod was before or not', () => {
    const state = fc.record({
      uid: fc.constantFrom('a', 'b'),
      nodeName: fc.constantFrom('', 'n1', 'n2'),
      phase: fc.constantFrom(undefined, 'Pending', 'Running', 'Succeeded', 'Failed'),
      restartPolicy: fc.constantFrom('Always', 'Never'),
      runs: fc.constantFrom('1s', 'forever'),
      isDeleted: fc.boolean(),
      isEvicted: fc.constantFrom('True', 'False'),
    });
    fc.assert(
      fc.property(fc.array(state, { maxLength: 30 }), (states) => {
        const [asked, told] = [new PodCounts(new UsageMeter()), new PodCounts(new UsageMeter())];
        const known = new Map<string, Pod>();
        for (const [i, { uid, nodeName, phase, restartPolicy, runs, isDeleted, isEvicted }] of states.entries()) {
          const pod: Pod = {
            metadata: {
              uid,
              annotations: { 'berth.dev/run-duration': runs },
              ...(isDeleted && { deletionTimestamp: new Date(0) }),
            },
            spec: { restartPolicy, ...(nodeName !== '' && { nodeName }) },
            status: { ...(phase && { phase }), conditions: [{ type: 'DisruptionTarget', status: isEvicted }] },
          };
          expect(told.set(pod, i, known.get(uid))).toBe(asked.set(pod, i));
          known.set(uid, pod);
          const { stages, totals, endingCount, waitingCount, latenciesMillis } = told;
          expect({ stages, totals, endingCount, waitingCount, latenciesMillis }).toEqual({
            stages: asked.stages,
            totals: asked.totals,
            endingCount: asked.endingCount,
            waitingCount: asked.waitingCount,
            latenciesMillis: asked.latenciesMillis,
          });
        }
      }),
      { numRuns: 500 },
    );
  });

  it('measures what pods request of nodes that answer, whatever else changes of them', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 40 }), (steps) => {
        const shares = play(steps, false).map(({ share }) => share);
        expect(shares).toEqual(sharesOf(steps));
      }),
    );
  });

  it('measures the share again at each change of a pod, since nodes may have gone meanwhile', () => {
    const meter = new UsageMeter();
    meter.offer([['cpu', 4000]], 1, 0);
    const counts = new PodCounts(meter);
    counts.set(podOf('a', 'n1', 'Pending'), 1000);
    meter.offer([['cpu', 2000]], -1, 2000);
    counts.set(podOf('a', 'n1', 'Running'), 3000);
    meter.offer([['cpu', 2000]], 1, 4000);
    expect(meter.usage(4000)).toEqual({ cpu: { average: 0.3125, peak: 0.5 } });
  });
});

/** The shares after each step, counted anew from all pods. */
function sharesOf(steps: Parameters<typeof play>[0]): number[] {
  const pods = new Map<string, { nodeName: string; phase: string }>();
  const lost = new Set<string>();
  return steps.map((step) => {
    if (step.verb === 'lost') {
      if (step.isLost) lost.add(step.nodeName);
      else lost.delete(step.nodeName);
    } else if (step.verb === 'delete') {
      pods.delete(step.uid);
    } else {
      pods.set(step.uid, { nodeName: pods.get(step.uid)?.nodeName || step.nodeName, phase: step.phase });
    }
    const requesting = [...pods.values()].filter(
      ({ nodeName, phase }) => nodeName !== '' && !lost.has(nodeName) && (phase === 'Pending' || phase === 'Running'),
    );
    return (requesting.length * 1000) / 10_000;
  });
}
