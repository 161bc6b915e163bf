import type { PodInfo } from '../../framework/pod-info.ts';

/**
 * Numbers for JSON values, which keep keys short. They are looked up by object first, because pods of one template
 * often share parts.
 */
export class PartNumbers {
  #byObject = new WeakMap<object, number>();
  readonly #byText = new Map<string, number>();

  clear(): void {
    this.#byObject = new WeakMap();
    this.#byText.clear();
  }

  /** The number of the value, equal for equal values; 0 for an absent part. */
  of(part: object | undefined | null): number {
    if (!part) return 0;
    let number = this.#byObject.get(part);
    if (number === undefined) {
      const text = JSON.stringify(part);
      number = this.#byText.get(text) ?? this.#byText.size + 1;
      this.#byText.set(text, number);
      this.#byObject.set(part, number);
    }
    return number;
  }
}

/** A key of all that selectors and affinity terms read of a pod: pods with equal keys move the same counters. */
export function countedPodsKey({ pod, namespace }: PodInfo, parts: PartNumbers): string {
  const { labels, deletionTimestamp } = pod.metadata ?? {};
  return `${namespace} ${deletionTimestamp ? 1 : 0} ${parts.of(labels)} ${parts.of(pod.spec?.affinity)}`;
}

/** A key of all that the topology plan of a pod to schedule depends on. */
export function planKey(pod: PodInfo, parts: PartNumbers): string {
  const { spec, metadata } = pod.pod;
  const own = [spec?.topologySpreadConstraints, spec?.nodeSelector, spec?.tolerations, metadata?.ownerReferences];
  return `${countedPodsKey(pod, parts)} ${own.map((part) => parts.of(part)).join(' ')}`;
}
