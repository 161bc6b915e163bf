import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { PodSurvey } from '../../../src/controllers/podgc/pod-survey.ts';

const drawnPod = fc.record({
  uid: fc.integer({ min: 0, max: 9 }).map(String),
  nodeName: fc.constantFrom(undefined, '', 'a', 'b', 'gone'),
  phase: fc.constantFrom(undefined, 'Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'),
  isTerminating: fc.boolean(),
});

/** Pods come, go, change, and now and then come back in another order. */
const drawnStep = fc.record({
  changed: fc.array(drawnPod, { maxLength: 4 }),
  goneUid: fc.integer({ min: 0, max: 9 }).map(String),
  isReversed: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  hasOtherNodes: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
});

function podOf({ uid, nodeName, phase, isTerminating }: Drawn): Pod {
  const deletionTimestamp = isTerminating ? '2026-01-01T00:00:00Z' : undefined;
  return { metadata: { uid, deletionTimestamp }, spec: { nodeName }, status: { phase } };
}

interface Drawn {
  readonly uid: string;
  readonly nodeName: string | undefined;
  readonly phase: string | undefined;
  readonly isTerminating: boolean;
}

describe('PodSurvey', () => {
  test('says the same as one that has seen no pods before', () => {
    fc.assert(
      fc.property(fc.array(drawnStep, { maxLength: 12 }), (steps) => {
        const survey = new PodSurvey();
        const pods = new Map<string, Pod>();
        let names = new Set(['a', 'b']);
        for (const { changed, goneUid, isReversed, hasOtherNodes } of steps) {
          for (const each of changed) pods.set(each.uid, podOf(each));
          pods.delete(goneUid);
          if (hasOtherNodes) names = new Set(names.has('b') ? ['a'] : ['a', 'b']);
          const list = isReversed ? [...pods.values()].reverse() : [...pods.values()];
          const found = survey.of(list, names);
          expect(found).toEqual(new PodSurvey().of(list, names));
          expect(found.terminating).toEqual(list.filter(({ metadata }) => metadata?.deletionTimestamp));
          expect(found.stray).toEqual(list.filter(({ spec }) => spec?.nodeName && !names.has(spec.nodeName)));
        }
      }),
    );
  });
});
