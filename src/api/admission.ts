/**
 * Fields that admission plugins of the API server fill in from other objects: the priority of a pod's class, the
 * default storage class of a claim (plugin/pkg/admission/{priority,storage/storageclass/setdefault}), and a pod's
 * tolerations. Nothing is mutated.
 */
import { combined } from '../lib/combined.ts';
import type { Pod, PodSpec } from './pod.ts';
import { type PriorityClass, SYSTEM_PRIORITY_CLASSES } from './priority-class.ts';
import type { PersistentVolumeClaim, StorageClass } from './storage.ts';
import type { Toleration } from './taints.ts';
import { millisOrZero } from './time.ts';
import { CLASS_ANNOTATION } from './volume-claims.ts';

export type PriorityClasses = ReadonlyMap<string, PriorityClass>;

/**
 * The pod with the priority and preemption policy of its class, if it has none of its own; null when its class does not
 * exist. A pod with a priority was admitted before, and stays as it is.
 */
export function withPriority(pod: Pod, classes: PriorityClasses, globalDefault: PriorityClass | null): Pod | null {
  const { spec = {} } = pod;
  if (spec.priority !== undefined) return pod;
  const name = spec.priorityClassName ?? '';
  const found = name === '' ? globalDefault : (classes.get(name) ?? SYSTEM_PRIORITY_CLASSES.get(name));
  if (found === undefined) return null;
  if (found === null) return pod;
  const preemptionPolicy = spec.preemptionPolicy || found.preemptionPolicy;
  return { ...pod, spec: { ...spec, priority: found.value, ...(preemptionPolicy && { preemptionPolicy }) } };
}

/** The two taints that pods tolerate for some time. Upstream: the flags of the DefaultTolerationSeconds plugin. */
const TOLERATED_FOR_A_TIME: readonly Toleration[] = [
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
].map((key) => Object.freeze({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));

/**
 * The spec of a pod that may stay for five minutes on a node that is not ready or unreachable, unless it has its own
 * tolerations for that (plugin/pkg/admission/defaulttolerationseconds).
 */
export function withDefaultTolerations(spec: PodSpec): PodSpec {
  const given = spec.tolerations ?? [];
  const missing = given.length === 0 ? TOLERATED_FOR_A_TIME : TOLERATED_FOR_A_TIME.filter(isMissingIn(given));
  return missing.length === 0 ? spec : combined(spec, { tolerations: [...given, ...missing] });
}

function isMissingIn(given: readonly Toleration[]): (toleration: Toleration) => boolean {
  return (wanted) =>
    !given.some(({ key, effect }) => (!key || key === wanted.key) && (!effect || effect === 'NoExecute'));
}

const DEFAULT_CLASS_ANNOTATIONS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** The newest of the classes that are marked as default, then the first by name; null when there is none. */
export function defaultStorageClassName(classes: Iterable<StorageClass>): string | null {
  let best: { readonly name: string; readonly millis: number } | null = null;
  for (const { metadata } of classes) {
    if (!DEFAULT_CLASS_ANNOTATIONS.some((key) => metadata?.annotations?.[key] === 'true')) continue;
    const [name, millis] = [metadata?.name ?? '', millisOrZero(metadata?.creationTimestamp)];
    const isBetter = best === null || millis > best.millis || (millis === best.millis && name < best.name);
    if (isBetter) best = { name, millis };
  }
  return best?.name ?? null;
}

/** The claim with the default class, unless it names a class (or '' for none), or has a volume already. */
export function withStorageClass(claim: PersistentVolumeClaim, className: string | null): PersistentVolumeClaim {
  const { metadata, spec = {} } = claim;
  if (className === null || spec.volumeName || spec.storageClassName !== undefined) return claim;
  if (metadata?.annotations?.[CLASS_ANNOTATION] !== undefined) return claim;
  return { ...claim, spec: { ...spec, storageClassName: className } };
}
