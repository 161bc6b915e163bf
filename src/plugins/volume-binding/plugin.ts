import type { Pod } from '../../api/pod.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import {
  BOUND_BY_CONTROLLER_ANNOTATION,
  isVolumeBoundToClaim,
  SELECTED_NODE_ANNOTATION,
} from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { type CycleState, stateKey } from '../../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../../framework/events.ts';
import { eventually } from '../../framework/eventually.ts';
import type { Handle } from '../../framework/handle.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type {
  Eventually,
  FilterPlugin,
  NodeFeed,
  NodeParts,
  NodeSight,
  PreBindPlugin,
  PreFilterPlugin,
  PreScorePlugin,
  ReservePlugin,
  ScorePlugin,
  Snapshot,
} from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { RejectedSlots } from '../../framework/rejected-slots.ts';
import { errorStatus, type Status, skip, unresolvable } from '../../framework/status.ts';
import { combined } from '../../lib/combined.ts';
import { memoized } from '../../lib/memoized.ts';
import { DEFAULT_VOLUME_BINDING_ARGS, type VolumeBindingArgs } from './args.ts';
import { AssumeCache } from './assume-cache.ts';
import { bindVolumes, type VolumeWrites } from './bind-volumes.ts';
import { formOfBoundClaims } from './bound-claims.ts';
import { isMigrated } from './csi-migration.ts';
import { findPodVolumes, type PodVolumes } from './find-pod-volumes.ts';
import { VOLUME_BINDING_EVENTS } from './hints.ts';
import { type NodeReads, nodeReadsOf } from './node-reads.ts';
import { isKept, NodesWithoutVolumes } from './nodes-without-volumes.ts';
import { claimProblem, type PodVolumeClaims, podVolumeClaims } from './pod-volume-claims.ts';

export const VOLUME_BINDING = 'VolumeBinding';

const UNBOUND_IMMEDIATE_CLAIMS = 'pod has unbound immediate PersistentVolumeClaims';

const CLAIMS = stateKey<PodVolumeClaims>('VolumeBinding/claims');
/** The volumes that are reserved for the pod, and the objects to write for them. */
const RESERVED = stateKey<PodVolumes & { readonly writes: VolumeWrites }>('VolumeBinding/reserved');

type Points = PreFilterPlugin & FilterPlugin & PreScorePlugin & ScorePlugin & ReservePlugin & PreBindPlugin;

const READS_NOTHING: NodeReads = { labels: new Map(), plugins: new Set(), names: new Set() };
const NOTHING: VolumeWrites = { volumes: [], claims: [] };

/**
 * Places a pod where its claims have or can get their volumes: bound claims where their volume can be reached, claims
 * that wait for the pod where a free volume matches or a new one can be created (upstream's volume_binding.go,
 * binder.go).
 */
export class VolumeBinding implements Points {
  readonly name = VOLUME_BINDING;
  readonly filterReads = 'objects';
  readonly scoreReads = 'node';
  readonly neverScores = true;
  readonly #objects: ClusterObjects;
  readonly #assumed: AssumeCache;
  readonly #without: NodesWithoutVolumes;

  readonly #handle: Handle | undefined;
  readonly #bindTimeoutMillis: number;
  /** What the claims of an attempt read of nodes, of which thousands of volumes may tell. */
  readonly #reads = memoized((claims: PodVolumeClaims) => nodeReadsOf(claims, this.#objects, this.#assumed));

  /** `handle` writes the bindings; without it they are assumed, also by all who read the same objects. */
  constructor(
    { objects }: Pick<Snapshot, 'objects'>,
    { bindTimeoutSeconds }: VolumeBindingArgs = DEFAULT_VOLUME_BINDING_ARGS,
    handle?: Handle,
  ) {
    this.#handle = handle;
    this.#bindTimeoutMillis = bindTimeoutSeconds * 1000;
    this.#objects = objects;
    this.#without = new NodesWithoutVolumes(objects);
    this.#assumed = new AssumeCache(objects, handle === undefined ? objects.assumed : undefined);
  }

  concerns(pod: Pod): boolean {
    return usesClaims(pod);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return VOLUME_BINDING_EVENTS;
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
    return volumes.reasons.length === 0 ? null : rejectionFor(volumes.reasons);
  }

  /** Nothing is reserved or written for claims that are bound. */
  attemptForm(pod: PodInfo): string | null {
    return formOfBoundClaims(pod, this.#objects, this.#assumed);
  }

  attemptLooksAt(state: CycleState): NodeParts | null {
    if (this.#isKept(state)) return null;
    const reads = this.#readsOf(state);
    return reads.plugins.size + reads.names.size > 0 ? null : partsOf(reads);
  }

  attemptSees(state: CycleState): NodeSight | null {
    if (this.#isKept(state)) return null;
    const reads = this.#readsOf(state);
    const plugins = [...reads.plugins];
    const names = [...reads.names];
    return {
      parts: partsOf(reads),
      count: 2 ** plugins.length * (names.length + 1),
      of: ({ name }) => {
        let number = names.indexOf(name) + 1;
        for (const plugin of plugins) number = number * 2 + (isMigrated(plugin, name, this.#objects) ? 1 : 0);
        return number;
      },
    };
  }

  attemptRejections(state: CycleState, _pod: PodInfo, nodes: NodeFeed): RejectedSlots | null {
    const claims = state.read(CLAIMS);
    if (claims === undefined || !this.#isKept(state)) return null;
    return this.#without.of(claims.unboundDelayed, nodes, ({ node }) => {
      const volumes = findPodVolumes(claims, node, this.#objects, this.#assumed);
      return 'error' in volumes || volumes.reasons.length > 0;
    });
  }

  attemptSuspects(state: CycleState, pod: PodInfo, nodes: NodeFeed): ReadonlySet<number> | null {
    return this.attemptRejections(state, pod, nodes)?.slots ?? null;
  }

  #isKept(state: CycleState): boolean {
    const claims = state.read(CLAIMS);
    return claims !== undefined && isKept(claims, this.#objects);
  }

  #readsOf(state: CycleState): NodeReads {
    const claims = state.read(CLAIMS);
    return claims === undefined ? READS_NOTHING : this.#reads(claims);
  }

  /** Scoring by storage capacity is an alpha feature of upstream, and off. */
  preScore(): Status {
    return skip(this.name);
  }

  score(): number {
    return 0;
  }

  reserves({ pod }: PodInfo): boolean {
    return usesClaims(pod);
  }

  /** Assumes the volumes and claims of the pod on the node before they are written (upstream's AssumePodVolumes). */
  reserve(state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    const claims = state.read(CLAIMS);
    if (claims === undefined) return null;
    const volumes = findPodVolumes(claims, node.node, this.#objects, this.#assumed);
    if ('error' in volumes) return errorStatus(this.name, volumes.error);
    const writes = {
      volumes: volumes.staticBindings.map(({ claim, volume }) => boundTo(volume, claim, pod.namespace)),
      claims: volumes.dynamicProvisions.map((claim) => provisionedOn(claim, node.name)),
    };
    for (const volume of writes.volumes) this.#assumed.assumeVolume(volume);
    for (const claim of writes.claims) this.#assumed.assumeClaim(pod.namespace, claim);
    state.write(RESERVED, combined(volumes, { writes }));
    return null;
  }

  preBinds({ pod }: PodInfo): boolean {
    return usesClaims(pod);
  }

  /** Returns Skip if all claims are bound already. */
  preBindPreFlight(state: CycleState): Status | null {
    const { volumes, claims } = state.read(RESERVED)?.writes ?? NOTHING;
    return volumes.length + claims.length === 0 ? skip(this.name) : null;
  }

  preBind(state: CycleState, pod: PodInfo, nodeName: string): Eventually<Status | null> {
    const writes = state.read(RESERVED)?.writes ?? NOTHING;
    if (this.#handle === undefined) return null;
    const modules = { handle: this.#handle, objects: this.#objects, bindTimeoutMillis: this.#bindTimeoutMillis };
    const problemOf = bindVolumes(modules, writes, pod, nodeName);
    return eventually((done) =>
      problemOf((problem) => done(problem === null ? null : errorStatus(this.name, problem))),
    );
  }

  /** Restores the volumes and claims that `reserve` assumed with the same state. */
  unreserve(state: CycleState, pod: PodInfo): void {
    const volumes = state.read(RESERVED);
    for (const { volume } of volumes?.staticBindings ?? []) this.#assumed.restoreVolume(volume.metadata?.name ?? '');
    for (const claim of volumes?.dynamicProvisions ?? []) {
      this.#assumed.restoreClaim(pod.namespace, claim.metadata?.name ?? '');
    }
  }
}

function partsOf({ labels }: NodeReads): NodeParts {
  const values = new Map<string, readonly string[]>();
  for (const [key, told] of labels) if (told !== null) values.set(key, [...told]);
  return { taints: false, labels: [...labels.keys()], values };
}

/** Most nodes are rejected for the same list of reasons, and get the same status. */
const rejectionFor = memoized((reasons: readonly string[]): Status => unresolvable(VOLUME_BINDING, ...reasons));

function usesClaims(pod: Pod): boolean {
  return (pod.spec?.volumes ?? []).some((volume) => volume.persistentVolumeClaim || volume.ephemeral);
}

/**
 * The volume bound to the claim (upstream's GetBindVolumeToClaim). A volume that names the claim already is not
 * annotated.
 */
function boundTo(volume: PersistentVolume, claim: PersistentVolumeClaim, namespace: string): PersistentVolume {
  const { name, uid, resourceVersion } = claim.metadata ?? {};
  const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion };
  const bound = combined(volume, { spec: combined(volume.spec, { claimRef }) });
  if (isVolumeBoundToClaim(volume, claim)) return bound;
  const annotations = combined(volume.metadata?.annotations, { [BOUND_BY_CONTROLLER_ANNOTATION]: 'yes' });
  return combined(bound, { metadata: combined(volume.metadata, { annotations }) });
}

function provisionedOn(claim: PersistentVolumeClaim, nodeName: string): PersistentVolumeClaim {
  const annotations = combined(claim.metadata?.annotations, { [SELECTED_NODE_ANNOTATION]: nodeName });
  return combined(claim, { metadata: combined(claim.metadata, { annotations }) });
}
