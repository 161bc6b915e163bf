import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import type { ResourceClaim } from '../../../src/api/resource-claims.ts';
import { ActionType, clusterEvent, EVENT_UNSCHEDULED_POD_ADD } from '../../../src/framework/events.ts';
import type { Handle } from '../../../src/framework/handle.ts';
import type { PreEnqueuePlugin } from '../../../src/framework/plugin.ts';
import type { PodGroupState } from '../../../src/framework/pod-group-states.ts';
import { DynamicResources } from '../../../src/plugins/dynamic-resources/plugin.ts';
import { GangScheduling } from '../../../src/plugins/gang-scheduling/plugin.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeDeviceClaim } from '../../builders/make-devices.ts';
import { makeQueue, NODE_ADD, pendingPod } from '../../builders/make-queue.ts';

const CLAIM_ADD = clusterEvent('resource.k8s.io/ResourceClaim', ActionType.Add);
const CLAIM_UPDATE = clusterEvent('resource.k8s.io/ResourceClaim', ActionType.Update);
const CLAIM_NAMES = ['c0', 'c1', 'c2'];
const POD_NAMES = ['p0', 'p1', 'p2', 'p3'];

/** A pod that names some claims, and one from a template if `made` is given: its name, or '' if it is not there yet. */
function podWith(name: string, claims: readonly string[], made?: string): Pod {
  const resourceClaims = claims.map((claim) => ({ name: claim, resourceClaimName: claim }));
  const own = made === undefined ? [] : [{ name: 'own', resourceClaimTemplateName: 'template' }];
  const statuses = made ? [{ name: 'own', resourceClaimName: made }] : [];
  return pendingPod(name, 0, {
    spec: { resourceClaims: [...resourceClaims, ...own] },
    status: { resourceClaimStatuses: statuses },
  });
}

/** A queue in which DynamicResources gates; `asked` counts how often. */
function makeGated(hasKeys: boolean, queueingHints: boolean) {
  const cluster = makeCluster([]);
  const plugin = new DynamicResources({ objects: cluster.objects });
  const rig = { asked: 0, cluster };
  const gate: PreEnqueuePlugin = {
    name: plugin.name,
    eventsToRegister: () => {
      const events = plugin.eventsToRegister();
      return hasKeys ? events : events.map(({ event, hint }) => (hint === undefined ? { event } : { event, hint }));
    },
    preEnqueue(pod) {
      rig.asked++;
      return plugin.preEnqueue(pod);
    },
    ...(hasKeys && { gateKeys: plugin.gateKeys }),
  };
  return { ...makeQueue({ gates: [gate], queueingHints }), rig };
}

type Gated = ReturnType<typeof makeGated>;

function setClaim({ queue, rig }: Gated, claim: ResourceClaim): void {
  const { objects } = rig.cluster;
  const before = objects.get('ResourceClaim', claim.metadata?.name ?? '', 'default');
  objects.set('ResourceClaim', claim);
  queue.moveAllToActiveOrBackoffQueue(before === undefined ? CLAIM_ADD : CLAIM_UPDATE, before, claim);
}

describe('gated pods', () => {
  it('are asked about by the events that may let them in, with and without hints', () => {
    for (const queueingHints of [true, false]) {
      const gated = makeGated(true, queueingHints);
      for (let i = 0; i < 100; i++) gated.queue.add(podWith(`p${i}`, [`c${i}`]));
      const askedBefore = gated.rig.asked;
      setClaim(gated, makeDeviceClaim('c7', [1]));
      setClaim(gated, makeDeviceClaim('other', [1]));
      gated.queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, {});
      expect([gated.rig.asked - askedBefore, gated.popAll()]).toEqual([1, ['p7']]);
    }
  });

  it('are found by their own updates', () => {
    const gated = makeGated(true, true);
    const [before, after] = [podWith('p', [], ''), podWith('p', [], 'made')];
    const claim = makeDeviceClaim('made', [1]);
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'p', controller: true }];
    gated.queue.add(before);
    setClaim(gated, { ...claim, metadata: { ...claim.metadata, ownerReferences } });
    expect(gated.placeOf('p')).toBe('gated');
    gated.queue.update(before, after);
    expect(gated.placeOf('p')).toBe('active');
  });

  it('of a gang are asked about when they come, and when the gang has enough of them', () => {
    const { objects } = makeCluster([]);
    const states = { podCount: 0, scheduledCount: 0 };
    let asked = 0;
    const plugin = new GangScheduling({ objects, podGroupState: () => states as PodGroupState }, {} as Handle);
    const gate: PreEnqueuePlugin = {
      name: plugin.name,
      gateKeys: plugin.gateKeys,
      eventsToRegister: () => plugin.eventsToRegister(),
      preEnqueue(pod) {
        asked++;
        return plugin.preEnqueue(pod);
      },
    };
    const { queue, popAll } = makeQueue({ gates: [gate] });
    const group = {
      metadata: { name: 'g', namespace: 'default' },
      spec: { schedulingPolicy: { gang: { minCount: 9 } } },
    };
    objects.set('PodGroup', group);
    for (let i = 0; i < 10; i++) {
      const pod = pendingPod(`p${i}`, 0, { spec: { schedulingGroup: { podGroupName: 'g' } } });
      states.podCount++;
      queue.add(pod);
      queue.moveAllToActiveOrBackoffQueue(EVENT_UNSCHEDULED_POD_ADD, undefined, pod);
      if (i === 7) expect([asked, popAll()]).toEqual([8, []]);
    }
    // Each pod once, and the first eight once more when the ninth has come.
    expect([asked, popAll().length]).toEqual([18, 10]);
  });

  it('leave as if each event asked about all of them', () => {
    const someClaims = fc.subarray(CLAIM_NAMES);
    const step = fc.oneof(
      fc.record({ kind: fc.constant('pod' as const), pod: fc.constantFrom(...POD_NAMES), claims: someClaims }),
      fc.record({
        kind: fc.constant('claim' as const),
        name: fc.constantFrom(...CLAIM_NAMES),
        isDeleting: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('pop' as const) }),
      fc.record({ kind: fc.constant('node' as const) }),
    );
    fc.assert(
      fc.property(fc.boolean(), fc.array(step, { maxLength: 40 }), (queueingHints, steps) => {
        const queues = [makeGated(true, queueingHints), makeGated(false, queueingHints)] as const;
        const results = queues.map((gated) => {
          const { queue } = gated;
          const log: string[] = [];
          for (const one of steps) {
            if (one.kind === 'pod' && queue.queuedPod(one.pod) === undefined) queue.add(podWith(one.pod, one.claims));
            if (one.kind === 'claim') {
              const claim = makeDeviceClaim(one.name, [1]);
              const deletionTimestamp = '2026-01-01T00:00:00Z';
              setClaim(
                gated,
                one.isDeleting ? { ...claim, metadata: { ...claim.metadata, deletionTimestamp } } : claim,
              );
            }
            if (one.kind === 'node') queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, {});
            if (one.kind === 'pop') {
              const next = queue.pop();
              if (next !== null) queue.done(next.podInfo.uid);
            }
            log.push(POD_NAMES.map((name) => gated.placeOf(name)).join());
          }
          return log;
        });
        expect(results[0]).toEqual(results[1]);
      }),
      { numRuns: 200 },
    );
  });
});
