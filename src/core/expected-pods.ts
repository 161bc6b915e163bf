import { ANY_SLOT } from '../engine/index/signature-index.ts';
import { SEARCHES_PER_SORT } from '../engine/topology/topology-demand.ts';
import type { PodMap } from '../framework/cluster/pod-map.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { PodTemplate } from './pod-templates.ts';

const NO_ENTRY = -1;
/** V8 keeps lists of at most this length among other objects, and longer ones in memory of their own. */
const SHORT_LIST = 16_000;

/** The pods of a batch whose attempts have begun. */
export class ExpectedPods {
  readonly length: number;
  /** How many pods were added; only `add` changes it. */
  count = 0;
  /** The index of the first pod whose attempt has not ended. */
  next = 0;
  readonly #known: PodMap;
  /** The pods, if they are few. */
  readonly #infos: PodInfo[] | null;
  /** Their entries among the known pods. A long list of objects would be new memory, which costs more than its use. */
  readonly #entries: Int32Array;
  /** The pods that stand for a known one, by index. */
  readonly #others = new Map<number, PodInfo>();
  /** The slots of pods that may run on one node only; null while there are none, as in most batches. */
  #slots: Int32Array | null = null;
  /** The number of pods of each template that has topology constraints; null until somebody asks. */
  #counts: Map<PodTemplate, number> | null = null;

  /** `known`: the known pods, to which each pod is added before it is added here. */
  constructor(length: number, known: PodMap, shortList = SHORT_LIST) {
    this.length = length;
    this.#known = known;
    const isShort = length <= shortList;
    this.#infos = isShort ? new Array(length) : null;
    this.#entries = new Int32Array(isShort ? 0 : length);
  }

  /** `info`: a pod with a `PodTemplate`. `slot`: that of the only node on which the pod may run, or ANY_SLOT. */
  add(info: PodInfo, slot: number): void {
    const index = this.count++;
    if (this.#infos !== null) this.#infos[index] = info;
    else this.#addEntry(index, info);
    if (slot === ANY_SLOT) return;
    this.#slots ??= new Int32Array(this.length).fill(ANY_SLOT);
    this.#slots[index] = slot;
  }

  /**
   * Whether the pods of a template with topology constraints are enough to sort nodes for them. Those that are left are
   * counted once, when somebody asks first.
   */
  hasMany(template: PodTemplate): boolean {
    this.#counts ??= this.#countLeft();
    return (this.#counts.get(template) ?? 0) > SEARCHES_PER_SORT;
  }

  #countLeft(): Map<PodTemplate, number> {
    const counts = new Map<PodTemplate, number>();
    for (let i = this.next; i < this.count; i++) {
      const template = this.template(i);
      if (template.hasTopology) counts.set(template, (counts.get(template) ?? 0) + 1);
    }
    return counts;
  }

  #addEntry(index: number, info: PodInfo): void {
    const { lastEntry } = this.#known;
    const isNew = this.#known.at(lastEntry) === info;
    this.#entries[index] = isNew ? lastEntry : NO_ENTRY;
    if (!isNew) this.#others.set(index, info);
  }

  /** The pod at an index, until its attempt has ended: others may take its entry then. */
  info(index: number): PodInfo {
    if (this.#infos !== null) return this.#infos[index] as PodInfo;
    const entry = this.#entries[index] as number;
    return (entry === NO_ENTRY ? this.#others.get(index) : this.#known.at(entry)) as PodInfo;
  }

  slot(index: number): number {
    return this.#slots === null ? ANY_SLOT : (this.#slots[index] as number);
  }

  template(index: number): PodTemplate {
    return this.info(index).template as PodTemplate;
  }
}
