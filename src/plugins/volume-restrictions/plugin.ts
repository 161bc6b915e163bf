import type { Pod } from '../../api/pod.ts';
import { namesClaim } from '../../api/volume-claims.ts';
import type { Volume } from '../../api/volumes.ts';
import { type CycleState, stateKey } from '../../framework/cycle-state.ts';
import {
  ActionType,
  type ClusterEventWithHint,
  eventWithHint,
  type HintKeys,
  READS_POD,
} from '../../framework/events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { NodeTally } from '../../framework/node-tally.ts';
import {
  type FilterPlugin,
  LOOKS_AT_NOTHING,
  type NodeFeed,
  type NodeParts,
  type PreFilterExtensions,
  type PreFilterPlugin,
  type Snapshot,
} from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { errorStatus, type Status, skip, unresolvable, unschedulable } from '../../framework/status.ts';
import { READS_VOLUME_CLAIMS } from '../../framework/volume-claim-keys.ts';
import { disksConflict, isDisk } from './disk-conflicts.ts';
import { DiskHolders } from './disk-holders.ts';

export const VOLUME_RESTRICTIONS = 'VolumeRestrictions';

const DISK_CONFLICT = unschedulable(VOLUME_RESTRICTIONS, 'node(s) had no available disk');
const READ_WRITE_ONCE_POD_CONFLICT = unschedulable(
  VOLUME_RESTRICTIONS,
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
);

const NO_NAMES: ReadonlySet<string> = new Set();
const NO_VOLUMES: readonly Volume[] = [];

/**
 * The pod's disks and ReadWriteOncePod claims, with the number of uses of the claims by other pods (upstream's
 * preFilterState).
 */
class ExclusiveClaims {
  readonly disks: readonly Volume[];
  readonly #names: ReadonlySet<string>;
  #usedByOthers: number;

  constructor(disks: readonly Volume[], names: ReadonlySet<string>, usedByOthers: number) {
    this.disks = disks;
    this.#names = names;
    this.#usedByOthers = usedByOthers;
  }

  get isInUse(): boolean {
    return this.#usedByOthers > 0;
  }

  /**
   * `sign` is 1 for a pod that is added to a node, and -1 for one that is removed. Claims of the same name in other
   * namespaces count, too, because upstream does not compare namespaces here.
   */
  count(pod: PodInfo, sign: 1 | -1): void {
    for (const claimName of claimNames(pod.pod)) if (this.#names.has(claimName)) this.#usedByOthers += sign;
  }

  clone(): ExclusiveClaims {
    return new ExclusiveClaims(this.disks, this.#names, this.#usedByOthers);
  }
}

const EXCLUSIVE_CLAIMS = stateKey<ExclusiveClaims>('VolumeRestrictions');

/**
 * Separates pods that must not share storage: on one node, pods with the same GCE, EBS, ISCSI or RBD disk; in the whole
 * cluster, pods with the same ReadWriteOncePod claim (upstream's volume_restrictions.go).
 */
export class VolumeRestrictions implements PreFilterPlugin, PreFilterExtensions, FilterPlugin {
  readonly name = VOLUME_RESTRICTIONS;
  readonly filterReads = 'cluster';
  readonly #diskHolders = new DiskHolders();

  concerns(pod: Pod): boolean {
    return (pod.spec?.volumes ?? []).some((volume) => volume.persistentVolumeClaim || isDisk(volume));
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [
      eventWithHint('Pod', ActionType.Delete, freesVolume, { ...READS_POD, keys: VOLUME_KEYS }),
      eventWithHint('Node', ActionType.Add),
      eventWithHint(
        'PersistentVolumeClaim',
        ActionType.Add,
        ({ pod }, _before, claim) => namesClaim(pod, claim),
        READS_VOLUME_CLAIMS,
      ),
    ];
  }

  preFilter(state: CycleState, pod: PodInfo, snapshot: Snapshot): Status | null {
    let exclusive: ReadonlySet<string> = NO_NAMES;
    let usedByOthers = 0;
    for (const { persistentVolumeClaim } of pod.pod.spec?.volumes ?? NO_VOLUMES) {
      if (!persistentVolumeClaim) continue;
      const { claimName = '' } = persistentVolumeClaim;
      const claim = snapshot.objects.get('PersistentVolumeClaim', claimName, pod.namespace);
      if (claim === undefined) return unresolvable(this.name, `persistentvolumeclaim "${claimName}" not found`);
      if (!claim.spec?.accessModes?.includes('ReadWriteOncePod') || exclusive.has(claimName)) continue;
      exclusive = new Set(exclusive).add(claimName);
      if (snapshot.isClaimUsed(pod.namespace, claimName)) usedByOthers++;
    }
    const disks = disksOf(pod.pod);
    if (disks.length === 0 && usedByOthers === 0) return skip(this.name);
    state.write(EXCLUSIVE_CLAIMS, new ExclusiveClaims(disks, exclusive, usedByOthers));
    return null;
  }

  /** Claims that several pods may use, and other volumes than disks, keep a pod from no node. */
  attemptForm({ pod, namespace }: PodInfo, { objects }: Snapshot): string | null {
    for (const volume of pod.spec?.volumes ?? []) {
      if (isDisk(volume)) return null;
      const { persistentVolumeClaim } = volume;
      if (!persistentVolumeClaim) continue;
      const claim = objects.get('PersistentVolumeClaim', persistentVolumeClaim.claimName ?? '', namespace);
      if (claim === undefined || claim.spec?.accessModes?.includes('ReadWriteOncePod')) return null;
    }
    return '';
  }

  addPod(state: CycleState, _podToSchedule: PodInfo, podToAdd: PodInfo): null {
    state.readWritten(EXCLUSIVE_CLAIMS).count(podToAdd, 1);
    return null;
  }

  removePod(state: CycleState, _podToSchedule: PodInfo, podToRemove: PodInfo): null {
    state.readWritten(EXCLUSIVE_CLAIMS).count(podToRemove, -1);
    return null;
  }

  /** A claim in use rejects all nodes; a disk, those with a pod that uses it. */
  attemptLooksAt(state: CycleState): NodeParts | null {
    return state.read(EXCLUSIVE_CLAIMS)?.disks.length === 0 ? LOOKS_AT_NOTHING : null;
  }

  attemptSuspects(state: CycleState, _pod: PodInfo, nodes: NodeFeed): ReadonlySet<number> | null {
    const claims = state.read(EXCLUSIVE_CLAIMS);
    return claims === undefined || claims.isInUse ? null : this.#diskHolders.slots(claims.disks, nodes);
  }

  filter(state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    const claims = state.read(EXCLUSIVE_CLAIMS);
    const disks = claims?.disks ?? disksOf(pod.pod);
    return answerOf(disks.length > 0 && holdsDisk(node, disks), claims ?? null);
  }

  tally(state: CycleState, pod: PodInfo, node: NodeInfo, expected: readonly PodInfo[]): NodeTally | null {
    const claims = state.read(EXCLUSIVE_CLAIMS);
    const disks = claims?.disks ?? disksOf(pod.pod);
    if (claims === undefined && disks.length === 0) return null;
    const tally = new DiskTally(disks, claims?.clone() ?? null);
    for (const other of node.pods) tally.countThere(other);
    for (const other of expected) tally.add(other);
    return tally;
  }
}

/** The answer of the filter; `claims` is null if PreFilter did not run. */
function answerOf(hasConflict: boolean, claims: ExclusiveClaims | null): Status | null {
  if (hasConflict) return DISK_CONFLICT;
  if (claims === null) {
    return errorStatus(VOLUME_RESTRICTIONS, 'cannot read "PreFilterVolumeRestrictions" from cycleState');
  }
  return claims.isInUse ? READ_WRITE_ONCE_POD_CONFLICT : null;
}

/** The pods of a node that use the disks of the pod to schedule, and the uses of its ReadWriteOncePod claims. */
class DiskTally implements NodeTally {
  readonly #disks: readonly Volume[];
  /** Null if PreFilter did not run, so that the filter fails. */
  readonly #claims: ExclusiveClaims | null;
  #conflicts = 0;

  constructor(disks: readonly Volume[], claims: ExclusiveClaims | null) {
    this.#disks = disks;
    this.#claims = claims;
  }

  add(pod: PodInfo): void {
    this.#count(pod, 1);
    this.#claims?.count(pod, 1);
  }

  remove(pod: PodInfo): void {
    this.#count(pod, -1);
    this.#claims?.count(pod, -1);
  }

  /** Counts a pod that is on the node already, which is among the users of claims. */
  countThere(pod: PodInfo): void {
    this.#count(pod, 1);
  }

  #count({ pod }: PodInfo, sign: 1 | -1): void {
    if (this.#disks.length > 0 && sharesDisk(this.#disks, pod)) this.#conflicts += sign;
  }

  fits(): boolean {
    return this.#conflicts === 0 && this.#claims?.isInUse === false;
  }

  rejection(): Status | null {
    return answerOf(this.#conflicts > 0, this.#claims);
  }
}

function disksOf({ spec }: Pod): readonly Volume[] {
  return spec?.volumes?.some(isDisk) ? spec.volumes.filter(isDisk) : NO_VOLUMES;
}

function* claimNames(pod: Pod): Iterable<string> {
  for (const { persistentVolumeClaim } of pod.spec?.volumes ?? []) {
    if (persistentVolumeClaim) yield persistentVolumeClaim.claimName ?? '';
  }
}

function holdsDisk({ pods }: NodeInfo, disks: readonly Volume[]): boolean {
  for (let i = 0; i < pods.length; i++) {
    const { requirements, pod } = pods[i] as PodInfo;
    // Most pods have no disks, and are known for that without a look at their volumes.
    if (requirements.hasStorage && sharesDisk(disks, pod)) return true;
  }
  return false;
}

function sharesDisk(disks: readonly Volume[], { spec }: Pod): boolean {
  const volumes = spec?.volumes;
  if (volumes === undefined) return false;
  for (const other of volumes) {
    if (!isDisk(other)) continue;
    for (const disk of disks) if (disksConflict(disk, other)) return true;
  }
  return false;
}

/** The names of claims; a pod with disks may be helped by any deletion. */
const VOLUME_KEYS: HintKeys = {
  ofPod: ({ pod }) => ((pod.spec?.volumes ?? []).some(isDisk) ? null : claimNamesOfVolumes(pod)),
  ofEvent: (deleted) => claimNamesOfVolumes(deleted as Pod),
};

/** The names of the claims of all volumes; '' for a volume without a claim. */
function claimNamesOfVolumes({ spec }: Pod): string[] {
  return (spec?.volumes ?? []).map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? '');
}

/** Whether the deleted pod used a disk or a claim that this pod uses, too. */
function freesVolume(pod: PodInfo, deleted: Pod): boolean {
  if ((deleted.metadata?.namespace || 'default') !== pod.namespace) return false;
  const wanted = pod.pod.spec?.volumes ?? [];
  const freed = deleted.spec?.volumes ?? [];
  if (wanted.some((volume) => freed.some((other) => disksConflict(volume, other)))) return true;
  const claims = new Set(freed.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []));
  return wanted.some(({ persistentVolumeClaim }) => claims.has(persistentVolumeClaim?.claimName ?? ''));
}
