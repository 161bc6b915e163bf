import { ANY_SLOT } from '../engine/index/signature-index.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { PodTemplate } from './pod-templates.ts';

/** The pods of a batch whose attempts have begun. */
export class ExpectedPods {
  readonly infos: PodInfo[];
  /** The slots of pods that may run on one node only; null while there are none, as in most batches. */
  #slots: Int32Array | null = null;
  #length = 0;

  constructor(capacity: number) {
    this.infos = new Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** `info`: a pod with a `PodTemplate`. `slot`: that of the only node on which the pod may run, or ANY_SLOT. */
  add(info: PodInfo, slot: number): void {
    this.infos[this.#length] = info;
    if (slot !== ANY_SLOT) {
      this.#slots ??= new Int32Array(this.infos.length).fill(ANY_SLOT);
      this.#slots[this.#length] = slot;
    }
    this.#length++;
  }

  info(index: number): PodInfo {
    return this.infos[index] as PodInfo;
  }

  slot(index: number): number {
    return this.#slots === null ? ANY_SLOT : (this.#slots[index] as number);
  }

  template(index: number): PodTemplate {
    return this.info(index).template as PodTemplate;
  }
}
