import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { type Pod, Scheduler, type SchedulerOptions } from '../../../src/index.ts';
import { makeDeviceClaim, makeDeviceClass, makeSlice, podWithDevices } from '../../builders/make-devices.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const NODES = ['a', 'b', 'c'];
const WAYS: readonly SchedulerOptions[] = (['scalar', 'simd'] as const).flatMap((engine) => [
  { engine, index: true },
  { engine, index: false },
]);

type Step =
  | { readonly kind: 'pod'; readonly claim: number; readonly priority: number }
  | { readonly kind: 'other' | 'nominate'; readonly node: string; readonly cpu: number }
  | { readonly kind: 'slice'; readonly node: string; readonly devices: number; readonly isEverywhere: boolean }
  | { readonly kind: 'release'; readonly claim: number }
  | { readonly kind: 'remove'; readonly which: number };

const node = fc.constantFrom(...NODES);
const claim = fc.integer({ min: 0, max: 2 });
const cpu = fc.integer({ min: 1, max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('pod' as const), claim, priority: fc.constantFrom(3, 5) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('other' as const, 'nominate' as const), node, cpu }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ kind: fc.constant('slice' as const), node, devices: fc.nat(2), isEverywhere: fc.boolean() },
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), claim }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), which: fc.nat(9) }) },
);

/** A pod that names one of three claims: pods with one spec are asked about, whatever has become of the claim. */
function claiming(name: string, claimNumber: number, priority: number): Pod {
  const { metadata, spec } = podWithDevices(name, [`x${claimNumber}`]);
  const containers = [{ name: 'c', resources: { requests: { cpu: '1' } } }];
  return { metadata, spec: { ...spec, containers, priority } };
}

/** A pod with a claim that was made for it; all such pods have one spec. */
function ownClaim(name: string, uid: string, resourceClaimName: string): Pod {
  const resourceClaims = [{ name: 'd', resourceClaimTemplateName: 't' }];
  const containers = [{ name: 'c', resources: { requests: { cpu: '1' } } }];
  const status = { resourceClaimStatuses: [{ name: 'd', resourceClaimName }] };
  return { metadata: { name, namespace: 'default', uid }, spec: { containers, resourceClaims, priority: 3 }, status };
}

/** What is said of every pod with a claim, before its attempt and by it. */
function play(options: SchedulerOptions, steps: readonly Step[]): unknown[] {
  const scheduler = new Scheduler({ ...options, preemption: true, tieBreak: 'first' });
  scheduler.setObject('DeviceClass', makeDeviceClass());
  for (const name of NODES) {
    scheduler.addNode(makeNode(name, { cpu: 3 }));
    scheduler.setObject('ResourceSlice', makeSlice(name, ['d0']));
  }
  for (const i of [0, 1, 2]) scheduler.setObject('ResourceClaim', makeDeviceClaim(`x${i}`, [1]));
  const answers: unknown[] = [];
  const names: string[] = [];
  for (const [i, step] of steps.entries()) {
    const name = `p${i}`;
    if (step.kind === 'pod') {
      const pod = claiming(name, step.claim, step.priority);
      const explained = scheduler.explain(pod);
      const result = scheduler.schedule(pod);
      answers.push(explained, result);
      for (const victim of result.status === 'unschedulable' ? (result.victims ?? []) : []) {
        scheduler.removePod('default', victim.split('/')[1] ?? '');
      }
    } else if (step.kind === 'slice') {
      const devices = ['d0', 'd1'].slice(0, step.devices);
      const pool = { name: step.node, generation: i + 2, resourceSliceCount: 1 };
      const more = step.isEverywhere ? { allNodes: true, pool } : { pool };
      scheduler.setObject('ResourceSlice', makeSlice(step.node, devices, more));
    } else if (step.kind === 'release') {
      scheduler.setObject('ResourceClaim', makeDeviceClaim(`x${step.claim}`, [1]));
    } else if (step.kind === 'remove') {
      const gone = names[step.which % Math.max(1, names.length)] ?? '';
      if (scheduler.pod('default', gone) !== undefined) scheduler.removePod('default', gone);
    } else {
      const spec = {
        containers: [{ name: 'c', resources: { requests: { cpu: step.cpu } } }],
        ...(step.kind === 'other' ? { nodeName: step.node, priority: 1 } : { priority: 5 }),
      };
      const status = step.kind === 'other' ? {} : { nominatedNodeName: step.node };
      scheduler.addPod({ ...makePod(name, { spec }), status });
    }
    names.push(name);
  }
  scheduler.close();
  return answers;
}

it('is known of nodes with nominated pods, and with pods to evict, what a search from scratch finds', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 6, maxLength: 24 }), fc.constantFrom(...WAYS), (steps, way) => {
      expect(play(way, steps)).toEqual(play({ engine: 'reference' }, steps));
    }),
    { numRuns: 60 },
  );
});

test.each([{ engine: 'reference' } as const, ...WAYS])('a device of all nodes is given once: %o', (options) => {
  const scheduler = new Scheduler({ ...options, tieBreak: 'first' });
  scheduler.setObject('DeviceClass', makeDeviceClass());
  scheduler.setObject('ResourceSlice', makeSlice('all', ['d0'], { allNodes: true }));
  scheduler.setObject('ResourceSlice', makeSlice('c', ['d0']));
  for (const name of NODES) {
    scheduler.addNode(makeNode(name, { cpu: 2 }));
    const spec = { containers: [{ name: 'c', resources: { requests: { cpu: 1 } } }], priority: 5 };
    scheduler.addPod({ ...makePod(`n-${name}`, { spec }), status: { nominatedNodeName: name } });
  }
  const placed = [0, 1].map((i) => {
    const { metadata, spec } = makeDeviceClaim(`x${i}`, [1]);
    const owner = { apiVersion: 'v1', kind: 'Pod', name: `p${i}`, uid: `u${i}`, controller: true };
    scheduler.setObject('ResourceClaim', { metadata: { ...metadata, ownerReferences: [owner] }, spec });
    return scheduler.schedule(ownClaim(`p${i}`, `u${i}`, `x${i}`));
  });
  expect(placed).toMatchObject([{ node: 'a' }, { node: 'c' }]);
});
