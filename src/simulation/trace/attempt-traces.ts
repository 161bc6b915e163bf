import type { Pod } from '../../api/pod.ts';
import type { ResourceClaim } from '../../api/resource-claims.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { claimOfVolume, SELECTED_NODE_ANNOTATION } from '../../api/volume-claims.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import type { TraceEvent } from './cluster-trace.ts';

/**
 * Finds the first write of each attempt of a scheduler, which is the moment of its decision: a binding, the reason why
 * there is no node, a nomination; and what is written for a pod before it is bound: the node that is selected for a
 * claim, the claim of a volume, the pod that devices are reserved for.
 */
export class AttemptTraces {
  /** The pods without a node that use a claim, by the claim's namespace and name; each by its uid. */
  readonly #waiting = new Map<string, Set<string>>();

  /** Returns the uid of the pod that was tried, if the event is the trace of an attempt. */
  take(before: TraceEvent | undefined, { resource, type, object }: TraceEvent): string | undefined {
    if (resource === 'pods') {
      const [former, pod] = [before?.object as Pod | undefined, object as Pod];
      const isWaiting = type !== 'DELETED' && !pod.spec?.nodeName;
      for (const pods of this.#sharing(isWaiting ? pod : (former ?? pod))) {
        if (isWaiting) pods.add(uidOf(pod));
        else pods.delete(uidOf(pod));
      }
      return type !== 'DELETED' && isDecision(former, pod) ? uidOf(pod) : undefined;
    }
    if (type !== 'MODIFIED' || before === undefined) return undefined;
    if (resource === 'persistentvolumeclaims') {
      const isNew = selectedNode(object) !== undefined && selectedNode(before.object) === undefined;
      return isNew ? this.#userOf(object.metadata?.namespace, object.metadata?.name) : undefined;
    }
    if (resource === 'persistentvolumes') {
      const claim = (object as PersistentVolume).spec?.claimRef;
      if (!claim || (before.object as PersistentVolume).spec?.claimRef) return undefined;
      return this.#userOf(claim.namespace, claim.name);
    }
    return resource === 'resourceclaims' ? newUser(before.object as ResourceClaim, object as ResourceClaim) : undefined;
  }

  /** The pods that wait for the same claims, claim by claim. */
  *#sharing({ metadata, spec }: Pod): Iterable<Set<string>> {
    for (const volume of spec?.volumes ?? []) {
      const claim = claimOfVolume(metadata?.name ?? '', volume);
      if (claim !== null) yield getOrMake(this.#waiting, keyOf(metadata?.namespace, claim.claimName), () => new Set());
    }
  }

  #userOf(namespace: string | undefined, claimName: string | undefined): string | undefined {
    const [first] = this.#waiting.get(keyOf(namespace, claimName)) ?? [];
    return first;
  }
}

/**
 * Whether the change of the pod itself is the trace of an attempt. Another pod's attempt may clear a nomination, but
 * never sets one.
 */
function isDecision(before: Pod | undefined, after: Pod): boolean {
  if (before === undefined || before.spec?.nodeName) return false;
  if (after.spec?.nodeName || waitReason(before) !== waitReason(after)) return true;
  const nomination = after.status?.nominatedNodeName ?? '';
  return nomination !== '' && nomination !== before.status?.nominatedNodeName;
}

function waitReason({ status }: Pod): string {
  const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return condition === undefined ? '' : `${condition.status} ${condition.message ?? ''}`;
}

function selectedNode({ metadata }: PersistentVolumeClaim): string | undefined {
  return metadata?.annotations?.[SELECTED_NODE_ANNOTATION];
}

/** The pod that the claim is reserved for now, and was not before. */
function newUser({ status: before }: ResourceClaim, { status: after }: ResourceClaim): string | undefined {
  const known = new Set((before?.reservedFor ?? []).map(({ uid }) => uid));
  return after?.reservedFor?.find(({ resource, uid }) => resource === 'pods' && !known.has(uid))?.uid;
}

function uidOf({ metadata }: Pod): string {
  return metadata?.uid ?? '';
}

function keyOf(namespace = '', name = ''): string {
  return `${namespace}/${name}`;
}
