import type { Condition } from '../../../src/api/meta.ts';
import type { Pod } from '../../../src/api/pod.ts';
import type { PodGroup } from '../../../src/api/pod-group.ts';
import type { ResourceClaim } from '../../../src/api/resource-claims.ts';
import type { StoreScheduler } from '../../../src/scheduler/store-scheduler.ts';
import type { StubObjects } from '../queue/stub-objects.ts';
import { deviceTexts } from './dra-rig.ts';

type Fields = Record<string, unknown>;

/** Where every pod is, the conditions of groups, and what claims have; absent fields are empty. */
export function gangState(objects: StubObjects, scheduler: StoreScheduler): Fields {
  const claims = [...objects.stored<ResourceClaim>('ResourceClaim')];
  return {
    pods: byName(objects.stored<Pod>('Pod'), (pod) => podState(pod, scheduler)),
    podGroups: byName(objects.stored<PodGroup>('PodGroup'), ({ status }) => (status?.conditions ?? []).map(bare)),
    ...(claims.length > 0 && { claims: byName(claims, claimState) }),
  };
}

function byName<T extends { readonly metadata?: { readonly name?: string | undefined } | undefined }>(
  list: Iterable<T>,
  of: (object: T) => unknown,
): Fields {
  return Object.fromEntries([...list].map((object) => [object.metadata?.name ?? '', of(object)]));
}

function podState(pod: Pod, { queue, waitingPods }: StoreScheduler): Fields {
  const { metadata, spec, status } = pod;
  const uid = metadata?.uid ?? '';
  const shared = {
    ...(waitingPods.get(uid) !== undefined && { waitingInPermit: true }),
    ...(metadata?.deletionTimestamp && { terminating: true }),
    ...(status?.nominatedNodeName && { nominatedNode: status.nominatedNodeName }),
  };
  if (spec?.nodeName) return { node: spec.nodeName, ...shared };
  const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  const { type: _type, ...shown } = condition === undefined ? { type: '' } : bare(condition);
  const queued = queue.queuedPod(uid);
  return {
    ...shared,
    ...(condition !== undefined && { condition: shown }),
    ...(queued !== undefined && {
      attempts: queued.attempts,
      queue: queued.isGated ? 'gated' : queued.place,
      ...(queued.isGated && { gatedBy: queued.gatingPlugin }),
      ...(queued.unschedulablePlugins.size > 0 && { unschedulablePlugins: [...queued.unschedulablePlugins].sort() }),
      ...(queued.pendingPlugins.size > 0 && { pendingPlugins: [...queued.pendingPlugins].sort() }),
    }),
  };
}

function bare({ type, status, reason, message }: Condition): { type: string } & Fields {
  return {
    type,
    status,
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  };
}

function claimState({ status }: ResourceClaim): Fields {
  const devices = status?.allocation && deviceTexts(status.allocation.devices?.results ?? []);
  const users = (status?.reservedFor ?? []).map(({ resource, name }) => `${resource}/${name}`).sort();
  return { ...(devices && { devices }), ...(users.length > 0 && { reservedFor: users }) };
}
