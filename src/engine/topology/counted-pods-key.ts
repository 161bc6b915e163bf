import type { PodInfo } from '../../framework/pod-info.ts';
import { SignatureTree } from '../signature/signature-tree.ts';

/** Numbers for JSON values, which keep keys short. They are never given up, because pods are counted by them. */
export class PartNumbers {
  #tree = new SignatureTree<number>(Number.POSITIVE_INFINITY);
  #count = 0;

  clear(): void {
    this.#tree = new SignatureTree(Number.POSITIVE_INFINITY);
    this.#count = 0;
  }

  /** The number of the value, equal for equal values; 0 for an absent part. */
  of(part: object | undefined | null): number {
    if (!part) return 0;
    const tree = this.#tree;
    tree.grow();
    if (!tree.walk(part)) {
      // The value is not JSON, so that its text stands for it. Other parts are objects, so none is a text.
      tree.grow();
      tree.step(JSON.stringify(part));
    }
    tree.value ??= ++this.#count;
    return tree.value;
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
  const [constraints, selector] = [parts.of(spec?.topologySpreadConstraints), parts.of(spec?.nodeSelector)];
  const [tolerations, owners] = [parts.of(spec?.tolerations), parts.of(metadata?.ownerReferences)];
  return `${countedPodsKey(pod, parts)} ${constraints} ${selector} ${tolerations} ${owners}`;
}
