import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ObjectChecks } from '../../src/caller/object-checks.ts';
import { PlacedPods } from '../../src/caller/placed-pods.ts';
import { podRequirements } from '../../src/framework/pod-info.ts';
import { type Pod, Scheduler } from '../../src/index.ts';
import { jsonFormOf, withoutNulls } from '../../src/lib/json-form.ts';
import { arbitraryClusterPods } from '../builders/arbitrary-cluster-pod.ts';
import { makeClusterPod } from '../builders/make-cluster-pod.ts';
import { makeNode } from '../builders/make-node.ts';
import { runs } from '../builders/runs.ts';
import { arbitraryBadValue, spoiled } from '../core/spoil.ts';

const numRuns = runs(100);

const arbitraryNodeName = fc.constantFrom<unknown>('n1', 'n2', 'n-3.example.com', 'Bad_Name', '', 7, null, undefined);

/** A bigint that nobody reads is refused in the first pod only. */
const arbitraryReadable = arbitraryBadValue.filter((value) => jsonFormOf(value) !== 'with a bigint');

/** Pods on nodes, some of which are bad, and each of which comes twice. */
const arbitraryPlaced = fc.array(
  fc.record({ pods: arbitraryClusterPods, nodeName: arbitraryNodeName, place: fc.nat(80), bad: arbitraryReadable }),
  { minLength: 1, maxLength: 5 },
);

function placedOn(pod: Pod, nodeName: unknown): Pod {
  return { ...pod, spec: { ...pod.spec, nodeName } } as Pod;
}

describe('pods on nodes', () => {
  test.each([true, false])('are checked as if each was the first, thoroughly: %s', (isThorough) => {
    const answer = (checks: ObjectChecks, placed: PlacedPods | null, pod: Pod): unknown => {
      try {
        // Nulls in parts that nobody reads may stay.
        return withoutNulls(checks.checkPod(pod, placed));
      } catch (error) {
        return String(error);
      }
    };
    fc.assert(
      fc.property(arbitraryPlaced, (drawn) => {
        const [checks, placed] = [new ObjectChecks(isThorough), new PlacedPods(podRequirements)];
        for (const { pods, nodeName, place, bad } of drawn) {
          for (const each of pods) {
            const pod = placedOn(each, nodeName);
            for (const given of [placedOn(each, 'n1'), spoiled(pod, place, bad) as Pod, pod]) {
              expect(answer(checks, placed, given)).toEqual(answer(new ObjectChecks(isThorough), null, given));
            }
          }
        }
      }),
      { numRuns },
    );
  });

  test('have the requirements that each would have by itself', () => {
    fc.assert(
      fc.property(arbitraryClusterPods, (pods) => {
        const placed = new PlacedPods(podRequirements);
        pods.forEach((each, i) => {
          const pod = placedOn(each, `n${i}`);
          if (!placed.knows(pod)) placed.add(pod);
          expect(placed.requirementsOf(pod)).toEqual(podRequirements(pod));
          expect(placed.requirementsOf(structuredClone(pod))).toEqual(podRequirements(pod));
        });
      }),
      { numRuns },
    );
  });

  test('that are equal but for their nodes share their requirements', () => {
    const placed = new PlacedPods(podRequirements);
    const [first, second] = [placedOn(makeClusterPod(1), 'n1'), placedOn(makeClusterPod(2), 'n2')];
    expect(placed.knows(first)).toBe(false);
    placed.add(first);
    expect(placed.knows(second)).toBe(true);
    expect(placed.requirementsOf(second)).toBe(placed.requirementsOf(first));
  });

  test('that wait, or are being resized, are like no other', () => {
    const placed = new PlacedPods(podRequirements);
    const pod = placedOn(makeClusterPod(1), 'n1');
    placed.add(makeClusterPod(1));
    placed.add(pod);
    expect(placed.knows(makeClusterPod(1))).toBe(false);
    const containerStatuses = [{ name: 'main', resources: { requests: { cpu: '7' } } }];
    const resized = {
      ...pod,
      status: { containerStatuses, conditions: [{ type: 'PodResizePending', status: 'True' }] },
    };
    expect(placed.knows(resized as Pod)).toBe(false);
    expect(placed.knows(pod)).toBe(true);
    expect(placed.requirementsOf(resized as Pod)).toEqual(podRequirements(resized as Pod));
  });

  test('take of their nodes what the reference says', () => {
    const [reference, simd] = (['reference', 'simd'] as const).map((engine) => new Scheduler({ engine }));
    for (const scheduler of [reference, simd]) {
      scheduler?.addNode(makeNode('n1', {}));
      scheduler?.addNode(makeNode('n2', {}));
      for (let i = 0; i < 6; i++) scheduler?.addPod(placedOn(makeClusterPod(i), i % 2 === 0 ? 'n1' : 'n2'));
      scheduler?.updatePod(placedOn(makeClusterPod(9), 'n1'));
    }
    expect(simd?.nodes()).toEqual(reference?.nodes());
  });
});
