import type { Pod } from '../../api/pod.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { ZONE_LABEL } from '../../api/topology-spread.ts';
import { claimClassName, namesClaim } from '../../api/volume-claims.ts';
import { BETA_REGION_LABEL, BETA_ZONE_LABEL, REGION_LABEL, ZONE_DELIMITER } from '../../api/volume-zones.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { type CycleState, stateKey } from '../../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint, eventWithHint } from '../../framework/events.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { FilterPlugin, NodeParts, PreFilterPlugin, Snapshot } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Status, skip, unresolvable } from '../../framework/status.ts';
import { READS_VOLUME_CLAIMS } from '../../framework/volume-claim-keys.ts';

export const VOLUME_ZONE = 'VolumeZone';

const WAIT_FOR_FIRST_CONSUMER = 'WaitForFirstConsumer';
const ZONE_CONFLICT = 'node(s) had no available volume zone';

/** The labels for the zone and region of a volume or node, each with the label that has replaced it. */
const TOPOLOGY_LABELS: readonly { readonly key: string; readonly current: string }[] = [
  { key: BETA_ZONE_LABEL, current: ZONE_LABEL },
  { key: BETA_REGION_LABEL, current: REGION_LABEL },
  { key: ZONE_LABEL, current: ZONE_LABEL },
  { key: REGION_LABEL, current: REGION_LABEL },
];

/** The values of one label of a volume, of which the node must have one. */
interface VolumeTopology {
  readonly key: string;
  readonly current: string;
  readonly values: ReadonlySet<string>;
}

const TOPOLOGIES = stateKey<readonly VolumeTopology[]>('VolumeZone');

/** Keeps a pod in the zones and regions of the volumes that its claims are bound to (upstream's volume_zone.go). */
export class VolumeZone implements PreFilterPlugin, FilterPlugin {
  readonly name = VOLUME_ZONE;
  readonly filterReads = 'objects';
  readonly #objects: ClusterObjects;

  constructor({ objects }: Pick<Snapshot, 'objects'>) {
    this.#objects = objects;
  }

  concerns(pod: Pod): boolean {
    return (pod.spec?.volumes ?? []).some((volume) => Boolean(volume.persistentVolumeClaim));
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    const { Add, Update, UpdateNodeLabel } = ActionType;
    return [
      // The binding mode of a class cannot be updated.
      eventWithHint('storage.k8s.io/StorageClass', Add, (_pod, _before, added) => {
        return added.volumeBindingMode === WAIT_FOR_FIRST_CONSUMER;
      }),
      eventWithHint('Node', Add | UpdateNodeLabel),
      eventWithHint(
        'PersistentVolumeClaim',
        Add | Update,
        ({ pod }, _before, claim) => namesClaim(pod, claim),
        READS_VOLUME_CLAIMS,
      ),
      eventWithHint('PersistentVolume', Add | Update, (_pod, before, after) => {
        return before === undefined || topologyKeyOf(before) !== topologyKeyOf(after);
      }),
    ];
  }

  preFilter(state: CycleState, pod: PodInfo): Status | null {
    const topologies = this.#topologies(pod);
    if ('code' in topologies) return topologies;
    if (topologies.length === 0) return skip(this.name);
    state.write(TOPOLOGIES, topologies);
    return null;
  }

  /** The labels of the volumes, if each claim is bound to one. */
  attemptForm({ pod, namespace }: PodInfo): string | null {
    const objects = this.#objects;
    let form = '';
    for (const { persistentVolumeClaim } of pod.spec?.volumes ?? []) {
      if (!persistentVolumeClaim) continue;
      const claim = objects.get('PersistentVolumeClaim', persistentVolumeClaim.claimName ?? '', namespace);
      const volumeName = claim?.spec?.volumeName;
      const volume = volumeName ? objects.get('PersistentVolume', volumeName) : undefined;
      if (volume === undefined) return null;
      const labels = volume.metadata?.labels;
      if (labels !== undefined) form += JSON.stringify(TOPOLOGY_LABELS.map(({ key }) => labels[key]));
    }
    return form;
  }

  attemptLooksAt(): NodeParts {
    return { taints: false, labels: TOPOLOGY_LABELS.map(({ key }) => key) };
  }

  /** In a profile without PreFilter its work is done here, as upstream. */
  filter(state: CycleState, pod: PodInfo, node: NodeInfo): Status | null {
    const topologies = state.read(TOPOLOGIES) ?? this.#topologies(pod);
    if ('code' in topologies) return topologies;
    const labels = node.node.metadata?.labels ?? {};
    // The nodes of a cluster in one zone may have no such labels.
    if (TOPOLOGY_LABELS.every(({ key }) => labels[key] === undefined)) return null;
    const reachable = topologies.every(({ key, current, values }) => {
      const value = labels[key] ?? labels[current];
      return value !== undefined && values.has(value);
    });
    return reachable ? null : unresolvable(this.name, ZONE_CONFLICT);
  }

  /** The topologies of the pod's volumes, or a rejection if a claim or volume is missing or unbound. */
  #topologies(pod: PodInfo): VolumeTopology[] | Status {
    const objects = this.#objects;
    const topologies: VolumeTopology[] = [];
    for (const { persistentVolumeClaim } of pod.pod.spec?.volumes ?? []) {
      if (!persistentVolumeClaim) continue;
      const { claimName } = persistentVolumeClaim;
      if (!claimName) return unresolvable(this.name, 'PersistentVolumeClaim had no name');
      const claim = objects.get('PersistentVolumeClaim', claimName, pod.namespace);
      if (claim === undefined) return unresolvable(this.name, `persistentvolumeclaim "${claimName}" not found`);
      const volumeName = claim.spec?.volumeName;
      if (!volumeName) {
        const rejected = this.#unboundClaim(claim, objects);
        if (rejected !== null) return rejected;
        continue;
      }
      const volume = objects.get('PersistentVolume', volumeName);
      if (volume === undefined) return unresolvable(this.name, `persistentvolume "${volumeName}" not found`);
      topologies.push(...topologiesOf(volume));
    }
    return topologies;
  }

  /** Returns null only for a claim that waits for its pod, whose volume will be created where the pod is. */
  #unboundClaim(claim: PersistentVolumeClaim, objects: Snapshot['objects']): Status | null {
    const className = claimClassName(claim);
    if (className === '') return unresolvable(this.name, 'PersistentVolumeClaim had no pv name and storageClass name');
    const storageClass = objects.get('StorageClass', className);
    if (storageClass === undefined) {
      return unresolvable(this.name, `storageclass.storage.k8s.io "${className}" not found`);
    }
    const { volumeBindingMode } = storageClass;
    if (!volumeBindingMode) return unresolvable(this.name, `VolumeBindingMode not set for StorageClass "${className}"`);
    if (volumeBindingMode === WAIT_FOR_FIRST_CONSUMER) return null;
    return unresolvable(this.name, 'PersistentVolume had no name');
  }
}

/** The topologies of the volume's labels; a label with an empty zone is ignored. */
function topologiesOf(volume: PersistentVolume): VolumeTopology[] {
  return TOPOLOGY_LABELS.flatMap(({ key, current }) => {
    const label = volume.metadata?.labels?.[key];
    if (label === undefined) return [];
    const values = label.split(ZONE_DELIMITER).map((value) => value.trim());
    return values.includes('') ? [] : [{ key, current, values: new Set(values) }];
  });
}

/** Equal for volumes whose labels name the same zones and regions. */
function topologyKeyOf(volume: PersistentVolume): string {
  return JSON.stringify(topologiesOf(volume).map(({ key, values }) => [key, ...[...values].sort()]));
}
