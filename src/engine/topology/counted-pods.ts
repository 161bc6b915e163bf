import type { Labels } from '../../api/meta.ts';
import type { Affinity } from '../../api/pod.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import type { PodCounter } from '../../memory/domain-counter.ts';
import { countedPodsKey, countedPodsParts, type PartNumbers } from './counted-pods-key.ts';
import { labelMark, Marked } from './marked.ts';
import { termMarksOf } from './owned-terms.ts';
import { PodsPerSlot } from './pods-per-slot.ts';

/** Pods that all counters count alike, and the counters that count them. */
export interface CountedPods {
  readonly pod: PodInfo;
  readonly key: string;
  /** The marks of the pods: their labels and their terms. */
  readonly marks: readonly string[];
  /** Whether no such pod is left, so that a later one must be looked up again. */
  isGone: boolean;
  /** Whether the terms of the pods are registered. */
  hasRegistered: boolean;
  readonly perSlot: PodsPerSlot;
  readonly counters: { readonly counter: PodCounter; readonly multiplicity: number }[];
}

/** What is known of pods that are equal to spread constraints and affinity terms. */
export interface KnownPod {
  countedPods: CountedPods | null;
  /** What `TopologyPlans` keeps for these pods, of which there is one for each index; null before it is asked. */
  plan: object | null;
  /** The last run of kernels in which such pods were queued, and their number in it. */
  run: number;
  member: number;
}

export function newKnownPod(): KnownPod {
  return { countedPods: null, plan: null, run: 0, member: 0 };
}

/** The pods on nodes, in groups that all counters count alike. */
export class CountedPodsGroups {
  readonly #parts: PartNumbers;
  readonly #byKey = new Map<string, CountedPods>();
  readonly #byMark = new Marked<CountedPods>();
  readonly #byLabels = new RecentMap<
    Labels,
    { affinity: Affinity | undefined; namespace: string; countedPods: CountedPods }
  >();
  /** Called with every new group, whose counters are not known yet. */
  readonly #onAdded: (countedPods: CountedPods) => void;

  constructor(parts: PartNumbers, onAdded: (countedPods: CountedPods) => void) {
    this.#parts = parts;
    this.#onAdded = onAdded;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Takes over the groups of others, before there are counters. */
  copyFrom(other: CountedPodsGroups): void {
    for (const { pod, perSlot } of other.#byKey.values()) {
      const copy = this.#lookUp(pod);
      for (const [slot, pods] of perSlot.entries()) {
        for (let i = 0; i < pods; i++) copy.perSlot.add(slot);
      }
    }
  }

  /** The group of the pod, which is made if there is none. `known`: null if the pod has no template. */
  of(pod: PodInfo, known: KnownPod | null): CountedPods {
    if (known === null) return this.#ofObjects(pod);
    if (known.countedPods === null || known.countedPods.isGone) known.countedPods = this.#lookUp(pod);
    return known.countedPods;
  }

  #ofObjects(pod: PodInfo): CountedPods {
    const { labels, deletionTimestamp } = pod.pod.metadata ?? {};
    if (labels === undefined || deletionTimestamp) return this.#lookUp(pod);
    // Pods of one template share their labels object.
    const known = this.#byLabels.get(labels);
    const affinity = pod.pod.spec?.affinity;
    if (
      known !== undefined &&
      !known.countedPods.isGone &&
      known.affinity === affinity &&
      known.namespace === pod.namespace
    ) {
      return known.countedPods;
    }
    const countedPods = this.#lookUp(pod);
    this.#byLabels.set(labels, { affinity, namespace: pod.namespace, countedPods });
    return countedPods;
  }

  /** The groups with one of the marks; without marks, all groups. */
  with(marks: readonly string[] | null): Iterable<CountedPods> {
    return marks === null ? this.#byKey.values() : this.#byMark.of(marks);
  }

  /** Takes a pod of the group from the slot, which it has left; a group without pods is dropped. */
  remove(countedPods: CountedPods, slot: number): void {
    countedPods.perSlot.remove(slot);
    if (!countedPods.perSlot.isEmpty) return;
    countedPods.isGone = true;
    this.#byKey.delete(countedPods.key);
    this.#byMark.delete(countedPods, countedPods.marks);
    this.#parts.release(countedPodsParts(countedPods.pod));
  }

  #lookUp(pod: PodInfo): CountedPods {
    const key = countedPodsKey(pod, this.#parts);
    let countedPods = this.#byKey.get(key);
    if (countedPods === undefined) {
      const marks: string[] = [];
      const labels = pod.pod.metadata?.labels;
      for (const label in labels) marks.push(labelMark(label, labels[label] as string));
      for (const mark of termMarksOf(pod)) marks.push(mark);
      countedPods = { pod, key, marks, isGone: false, hasRegistered: false, perSlot: new PodsPerSlot(), counters: [] };
      this.#byKey.set(key, countedPods);
      this.#byMark.add(countedPods, marks);
      this.#parts.hold(countedPodsParts(pod));
      this.#onAdded(countedPods);
    }
    return countedPods;
  }
}
