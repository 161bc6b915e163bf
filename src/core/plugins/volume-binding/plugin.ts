import type { Pod } from '../../../api/pod.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../api/storage.ts';
import { SELECTED_NODE_ANNOTATION } from '../../../api/volume-claims.ts';
import type { ClusterObjects } from '../../cache/cluster-objects.ts';
import { type CycleState, stateKey } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { FilterPlugin, PreFilterPlugin, PreScorePlugin, ScorePlugin, Snapshot } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, skip, unresolvable } from '../../framework/status.ts';
import { VOLUME_BINDING } from '../names.ts';
import { AssumeCache } from './assume-cache.ts';
import { findPodVolumes, type PodVolumes } from './find-pod-volumes.ts';
import { claimProblem, type PodVolumeClaims, podVolumeClaims } from './pod-volume-claims.ts';

export const UNBOUND_IMMEDIATE_CLAIMS = 'pod has unbound immediate PersistentVolumeClaims';

const CLAIMS = stateKey<PodVolumeClaims>('VolumeBinding/claims');
const RESERVED = stateKey<PodVolumes>('VolumeBinding/reserved');

/**
 * Sends a pod to where its claims have, or can get, their volumes: bound claims to the reach of their volume, claims
 * that wait for their pod to where a free volume fits or a new one can be made (upstream's volume_binding.go,
 * binder.go).
 */
export class VolumeBinding implements PreFilterPlugin, FilterPlugin, PreScorePlugin, ScorePlugin {
  readonly name = VOLUME_BINDING;
  readonly filterReads = 'cluster';
  readonly scoreReads = 'node';
  readonly #objects: ClusterObjects;
  readonly #assumed: AssumeCache;

  constructor({ objects }: Pick<Snapshot, 'objects'>) {
    this.#objects = objects;
    this.#assumed = new AssumeCache(objects);
  }

  concerns(pod: Pod): boolean {
    return usesClaims(pod);
  }

  preFilter(state: CycleState, pod: PodInfo): Status | null {
    if (!usesClaims(pod.pod)) return skip(this.name);
    const problem = claimProblem(pod, this.#objects);
    if (problem !== null) return unresolvable(this.name, problem);
    const claims = podVolumeClaims(pod, this.#objects, this.#assumed);
    if ('error' in claims) return errorStatus(this.name, claims.error);
    if (claims.unboundImmediate.length > 0) return unresolvable(this.name, UNBOUND_IMMEDIATE_CLAIMS);
    state.write(CLAIMS, claims);
    return null;
  }

  filter(state: CycleState, _pod: PodInfo, node: NodeInfo): Status | null {
    const claims = state.read(CLAIMS);
    if (claims === undefined) return errorStatus(this.name, 'not found');
    const volumes = findPodVolumes(claims, node.node, this.#objects, this.#assumed);
    if ('error' in volumes) return errorStatus(this.name, volumes.error);
    return volumes.reasons.length === 0 ? null : unresolvable(this.name, ...volumes.reasons);
  }

  /** Scoring by storage capacity is an alpha feature of upstream that is off. */
  preScore(): Status {
    return skip(this.name);
  }

  score(): number {
    return 0;
  }

  reserves({ pod }: PodInfo): boolean {
    return usesClaims(pod);
  }

  /**
   * The pod goes to the node: from now on the volumes that it was promised are its claims', and new ones are being made
   * for that node, although nobody has told the API server yet (upstream's AssumePodVolumes).
   */
  reserve(state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    const claims = state.read(CLAIMS);
    if (claims === undefined) return null;
    const volumes = findPodVolumes(claims, node.node, this.#objects, this.#assumed);
    if ('error' in volumes) return errorStatus(this.name, volumes.error);
    for (const { claim, volume } of volumes.staticBindings) {
      this.#assumed.assumeVolume(boundTo(volume, claim, pod.namespace));
    }
    for (const claim of volumes.dynamicProvisions) {
      this.#assumed.assumeClaim(pod.namespace, provisionedOn(claim, node.name));
    }
    state.write(RESERVED, volumes);
    return null;
  }

  /** Takes back what `reserve` did with the same state. */
  unreserve(state: CycleState, pod: PodInfo): void {
    const volumes = state.read(RESERVED);
    for (const { volume } of volumes?.staticBindings ?? []) this.#assumed.restoreVolume(volume.metadata?.name ?? '');
    for (const claim of volumes?.dynamicProvisions ?? []) {
      this.#assumed.restoreClaim(pod.namespace, claim.metadata?.name ?? '');
    }
  }
}

function usesClaims(pod: Pod): boolean {
  return (pod.spec?.volumes ?? []).some((volume) => volume.persistentVolumeClaim || volume.ephemeral);
}

function boundTo(volume: PersistentVolume, claim: PersistentVolumeClaim, namespace: string): PersistentVolume {
  const { name, uid } = claim.metadata ?? {};
  return { ...volume, spec: { ...volume.spec, claimRef: { namespace, name, uid } } };
}

function provisionedOn(claim: PersistentVolumeClaim, nodeName: string): PersistentVolumeClaim {
  const annotations = { ...claim.metadata?.annotations, [SELECTED_NODE_ANNOTATION]: nodeName };
  return { ...claim, metadata: { ...claim.metadata, annotations } };
}
