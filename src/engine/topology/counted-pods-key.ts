import type { PodInfo } from '../../framework/pod-info.ts';

/**
 * Numbers for JSON values, so that keys stay short; by object first, for pods of one template often share their parts.
 */
export class PartNumbers {
  #byObject = new WeakMap<object, number>();
  readonly #byText = new Map<string, number>();

  clear(): void {
    this.#byObject = new WeakMap();
    this.#byText.clear();
  }

  /** Equal values have equal numbers; 0 for a part that is missing. */
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

/** What selectors and affinity terms can see of a pod: equal keys, equal counters. */
export function countedPodsKey({ pod, namespace }: PodInfo, parts: PartNumbers): string {
  const { labels, deletionTimestamp } = pod.metadata ?? {};
  return `${namespace} ${deletionTimestamp ? 1 : 0} ${parts.of(labels)} ${parts.of(pod.spec?.affinity)}`;
}

/** What the topology plan of a pod to be scheduled depends on. */
export function planKey(pod: PodInfo, parts: PartNumbers): string {
  const { spec, metadata } = pod.pod;
  const own = [spec?.topologySpreadConstraints, spec?.nodeSelector, spec?.tolerations, metadata?.ownerReferences];
  return `${countedPodsKey(pod, parts)} ${own.map((part) => parts.of(part)).join(' ')}`;
}
