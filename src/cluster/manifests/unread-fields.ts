import { isMissing, isObject, type UnknownObject } from '../../api/validation/check.ts';

/**
 * Fields that would change a decision of kube-scheduler and that this version does not evaluate. They are never passed
 * over in silence: whoever reads the manifests is told how many pods carry them.
 */
const UNREAD: readonly (readonly [field: string, isUsed: (spec: UnknownObject) => boolean])[] = [
  ['spec.affinity.podAffinity', (spec) => isSet(spec['affinity'], 'podAffinity')],
  ['spec.affinity.podAntiAffinity', (spec) => isSet(spec['affinity'], 'podAntiAffinity')],
  ['spec.topologySpreadConstraints', (spec) => isFilled(spec['topologySpreadConstraints'])],
  ['spec.resourceClaims', (spec) => isFilled(spec['resourceClaims'])],
  ['spec.volumes (persistent volumes)', (spec) => hasPersistentVolume(spec['volumes'])],
];

const PERSISTENT_SOURCES = [
  'persistentVolumeClaim',
  'ephemeral',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'azureDisk',
  'rbd',
  'iscsi',
];

/** Counts, over many pods, the fields that are not evaluated. */
export class UnreadFields {
  readonly #podCounts = new Map<string, number>();

  note(pod: UnknownObject): void {
    const spec = pod['spec'];
    if (!isObject(spec)) return;
    for (const [field, isUsed] of UNREAD) {
      if (isUsed(spec)) this.#podCounts.set(field, (this.#podCounts.get(field) ?? 0) + 1);
    }
  }

  /** One line a field, in the order of the table. */
  warnings(): string[] {
    return UNREAD.flatMap(([field]) => {
      const count = this.#podCounts.get(field);
      if (count === undefined) return [];
      return [`${field} of ${count} ${count === 1 ? 'pod is' : 'pods is'} not evaluated by this version`];
    });
  }
}

function isSet(value: unknown, key: string): boolean {
  return isObject(value) && isObject(value[key]) && Object.values(value[key]).some(isFilled);
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function hasPersistentVolume(volumes: unknown): boolean {
  if (!Array.isArray(volumes)) return false;
  return volumes.some((volume) => isObject(volume) && PERSISTENT_SOURCES.some((key) => !isMissing(volume[key])));
}
