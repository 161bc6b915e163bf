import type { FilterPlugin, NodeParts, Snapshot } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { SharedVector } from '../../memory/shared-vector.ts';
import type { NodeMask } from '../index/node-mask.ts';
import { keyOfParts, type NodeLookSets, type NodeLooks } from '../verdicts/node-looks.ts';

/** The most forms whose answers are kept. */
const MOST_FORMS = 256;

/** The answers of one filter about the looks of nodes that there were. */
interface KeptLooks {
  /** The key of the parts of nodes by which these are sorted. */
  readonly key: string;
  readonly looks: NodeLooks;
  readonly count: number;
  /** Null if the filter accepts them all. */
  readonly mask: NodeMask | null;
}

export interface AttemptFormsModules {
  readonly memory: SharedMemory;
  readonly looks: NodeLookSets;
}

/**
 * The answers of filters that are asked in every attempt, by the forms that these filters give pods: pods whose claims
 * are bound to volumes of one zone have one form, whatever the names of claims and volumes.
 */
export class AttemptForms {
  readonly #modules: AttemptFormsModules;
  readonly #known = new Map<string, readonly KeptLooks[]>();

  constructor(modules: AttemptFormsModules) {
    this.#modules = modules;
  }

  /** The masks that were kept for the form; null if there are none, or nodes have other looks since. */
  masksOf(form: string): readonly NodeMask[] | null {
    const known = this.#known.get(form);
    if (known === undefined) return null;
    const masks: NodeMask[] = [];
    for (const { key, looks, count, mask } of known) {
      if (looks.count !== count || this.#modules.looks.known(key) !== looks) {
        this.#remove(form, known);
        return null;
      }
      if (mask !== null) masks.push(mask);
    }
    return masks;
  }

  /** Keeps answers about looks: the mask of each filter, or null if it accepts all nodes. */
  keep(form: string, answers: readonly (readonly [NodeParts, NodeMask | null])[]): void {
    const kept: KeptLooks[] = [];
    for (const [parts, mask] of answers) {
      const looks = this.#modules.looks.of(parts);
      if (looks === null) return;
      kept.push({ key: keyOfParts(parts), looks, count: looks.count, mask: mask && this.#copyOf(mask, looks.count) });
    }
    if (this.#known.size >= MOST_FORMS) for (const [other, answer] of this.#known) this.#remove(other, answer);
    this.#known.set(form, kept);
  }

  #copyOf({ column, accepted }: NodeMask, count: number): NodeMask {
    const copy = new SharedVector(this.#modules.memory, 'looks that pods of a form accept');
    copy.reserve(count);
    copy.values.set(accepted.values.subarray(0, count));
    return { column, accepted: copy };
  }

  #remove(form: string, kept: readonly KeptLooks[]): void {
    for (const { mask } of kept) mask?.accepted.release();
    this.#known.delete(form);
  }
}

/** The form of the pod for all of these filters; null if one of them gives it none. */
export function formOf(filters: readonly FilterPlugin[], pod: PodInfo, snapshot: Snapshot): string | null {
  let form = '';
  for (const plugin of filters) {
    const part = plugin.attemptForm?.(pod, snapshot) ?? null;
    if (part === null) return null;
    form += `${plugin.name} ${part}\n`;
  }
  return form;
}
