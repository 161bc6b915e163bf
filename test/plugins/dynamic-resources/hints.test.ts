import { describe, expect, it } from 'vitest';
import type { ResourceClaim } from '../../../src/api/resource-claims.ts';
import { ClusterObjects } from '../../../src/framework/cluster-objects.ts';
import { ActionType } from '../../../src/framework/events.ts';
import { ClaimCache } from '../../../src/plugins/dynamic-resources/claims/claim-cache.ts';
import { dynamicResourcesEvents } from '../../../src/plugins/dynamic-resources/hints.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makeDeviceClaim, podWithDevices, withDevices } from '../../builders/make-devices.ts';

const MINE = makeDeviceClaim('mine', [1]);
const OTHER = makeDeviceClaim('other', [1]);
const HELD = withDevices(OTHER, 'n', ['d0']);

/** Whether the event is shown to a pod that names claim `mine`. */
function isShown(before: ResourceClaim | undefined, after: ResourceClaim): boolean {
  const events = dynamicResourcesEvents(new ClaimCache(new ClusterObjects()));
  const keys = events.find(({ event }) => event.resource === 'resource.k8s.io/ResourceClaim')?.keys;
  const ofPod = keys?.ofPod(makePodInfo(podWithDevices('p', ['mine']))) ?? null;
  const ofEvent = keys?.ofEvent(before, after) ?? null;
  return ofPod === null || ofEvent === null || ofEvent.some((key) => ofPod.includes(key));
}

function hint(before: ResourceClaim | undefined, after: ResourceClaim, known: readonly ResourceClaim[] = [MINE]) {
  const objects = new ClusterObjects();
  for (const claim of known) objects.set('ResourceClaim', claim);
  const events = dynamicResourcesEvents(new ClaimCache(objects));
  const claims = events.find(({ event }) => event.resource === 'resource.k8s.io/ResourceClaim');
  return claims?.hint?.(makePodInfo(podWithDevices('p', ['mine'])), before, after);
}

it('a claim of the same name in another namespace is not shown to the pod', () => {
  const elsewhere = { ...MINE, metadata: { ...MINE.metadata, namespace: 'elsewhere' } };
  expect([isShown(undefined, MINE), isShown(undefined, elsewhere)]).toEqual([true, false]);
});

describe('a pod that waits for devices', () => {
  it.each<[string, ResourceClaim | undefined, ResourceClaim, string]>([
    ['its claim came', undefined, MINE, 'Queue'],
    ['the claim of another came', undefined, OTHER, 'QueueSkip'],
    ['devices of another were given back', HELD, OTHER, 'Queue'],
    ['another got devices', OTHER, HELD, 'QueueSkip'],
    ['its claim got devices', MINE, withDevices(MINE, 'n', ['d0']), 'Queue'],
    ['its claim changed elsewhere', MINE, { ...MINE, metadata: { ...MINE.metadata, labels: { a: 'b' } } }, 'QueueSkip'],
  ])('when %s', (_event, before, after, expected) => {
    expect(hint(before, after)).toBe(expected);
    // Only events that cannot help are kept from the pod.
    if (expected === 'Queue') expect(isShown(before, after)).toBe(true);
  });

  it('is not asked about claims of others', () => {
    expect([isShown(undefined, OTHER), isShown(OTHER, HELD), isShown(HELD, OTHER)]).toEqual([false, false, true]);
  });

  it('stays where it is while a claim is missing', () => {
    expect(hint(HELD, OTHER, [])).toBe('QueueSkip');
  });
});

it('a node whose allocatable resources change may serve extended resources by devices', () => {
  const events = dynamicResourcesEvents(new ClaimCache(new ClusterObjects()));
  const node = events.find(({ event }) => event.resource === 'Node');
  expect((node?.event.actionType ?? 0) & ActionType.UpdateNodeAllocatable).not.toBe(0);
});
