import type { PodInfo } from '../../framework/pod-info.ts';
import { SignatureTree } from '../signature/signature-tree.ts';

/**
 * A map by all that spread constraints and affinity terms read of pods. Pods of one template with equal labels, owners
 * and namespaces are one entry, whether or not they share objects.
 */
export class KnownPods<T extends object> {
  readonly #tree = new SignatureTree<T>();
  /** The pod that was looked up last, which is mostly charged next. */
  #lastPod: PodInfo | null = null;
  #lastValue: T | null = null;

  /** Returns the entry of the pod, made if there is none; null for a pod without a template. */
  of(info: PodInfo, make: () => T): T | null {
    const { template, metadataForm: form } = info;
    if (template === null) return null;
    if (form !== null && form.reader === this && form.template === template) return form.known as T;
    if (info === this.#lastPod) return this.#lastValue;
    const tree = this.#tree;
    tree.find();
    if (!this.#walk(info)) {
      tree.grow();
      if (!this.#walk(info)) return null;
    }
    tree.value ??= make();
    if (form !== null) {
      form.reader = this;
      form.template = template;
      form.known = tree.value;
    }
    this.#lastPod = info;
    this.#lastValue = tree.value;
    return tree.value;
  }

  #walk({ pod: { metadata }, template, namespace }: PodInfo): boolean {
    const tree = this.#tree;
    return (
      tree.step(template) &&
      tree.step(namespace) &&
      tree.step(Boolean(metadata?.deletionTimestamp)) &&
      tree.walk(metadata?.labels) &&
      tree.walk(metadata?.ownerReferences)
    );
  }
}
