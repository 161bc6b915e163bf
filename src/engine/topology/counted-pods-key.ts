import type { PodInfo } from '../../framework/pod-info.ts';
import { SignatureTree } from '../signature/signature-tree.ts';

/** The number of a value, and how many keys are kept that hold it. */
interface PartNumber {
  readonly number: number;
  readonly isJson: boolean;
  holders: number;
}

type Part = object | undefined | null;

/**
 * Numbers for JSON values, which keep keys short. A number is never given to another value, and is forgotten when the
 * last key that holds it is released.
 */
export class PartNumbers {
  readonly #tree = new SignatureTree<PartNumber>(Number.POSITIVE_INFINITY);
  #count = 0;

  /** The number of the value, equal for equal values; 0 for an absent part. */
  of(part: Part): number {
    if (!part) return 0;
    const tree = this.#tree;
    tree.grow();
    const isJson = tree.walk(part);
    if (!isJson) {
      // The value is not JSON, so that its text stands for it. Other parts are objects, so none is a text.
      tree.grow();
      tree.step(JSON.stringify(part));
    }
    tree.value ??= { number: ++this.#count, isJson, holders: 0 };
    return tree.value.number;
  }

  /** Keeps the numbers of parts whose key is kept. */
  hold(parts: readonly Part[]): void {
    for (const part of parts) {
      const known = this.#find(part);
      if (known !== undefined) known.holders++;
    }
  }

  /** Reverts `hold`. */
  release(parts: readonly Part[]): void {
    for (const part of parts) {
      const known = this.#find(part);
      if (known === undefined || --known.holders > 0) continue;
      this.#tree.remove(known.isJson ? part : JSON.stringify(part));
    }
  }

  #find(part: Part): PartNumber | undefined {
    if (!part) return undefined;
    const tree = this.#tree;
    tree.find();
    if (tree.walk(part)) return tree.value;
    tree.find();
    return tree.step(JSON.stringify(part)) ? tree.value : undefined;
  }
}

/** A key of all that selectors and affinity terms read of a pod: pods with equal keys move the same counters. */
export function countedPodsKey({ pod, namespace }: PodInfo, parts: PartNumbers): string {
  const { labels, deletionTimestamp } = pod.metadata ?? {};
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const terms = `${parts.of(podAffinity)} ${parts.of(podAntiAffinity)}`;
  return `${namespace} ${deletionTimestamp ? 1 : 0} ${parts.of(labels)} ${terms}`;
}

/** The parts whose numbers `countedPodsKey` holds. */
export function countedPodsParts({ pod }: PodInfo): readonly Part[] {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  return [pod.metadata?.labels, podAffinity, podAntiAffinity];
}

/** A key of all that the topology plan of a pod to schedule depends on. */
export function planKey(pod: PodInfo, parts: PartNumbers): string {
  const { spec, metadata } = pod.pod;
  const [constraints, selector] = [parts.of(spec?.topologySpreadConstraints), parts.of(spec?.nodeSelector)];
  const [tolerations, owners] = [parts.of(spec?.tolerations), parts.of(metadata?.ownerReferences)];
  const affinity = parts.of(spec?.affinity?.nodeAffinity);
  return `${countedPodsKey(pod, parts)} ${constraints} ${selector} ${tolerations} ${owners} ${affinity}`;
}

/** The parts whose numbers `planKey` holds. */
export function planParts(pod: PodInfo): readonly Part[] {
  const { spec, metadata } = pod.pod;
  const { topologySpreadConstraints, nodeSelector, tolerations, affinity } = spec ?? {};
  const owners = metadata?.ownerReferences;
  return [
    ...countedPodsParts(pod),
    ...[topologySpreadConstraints, nodeSelector, tolerations, owners, affinity?.nodeAffinity],
  ];
}
