import type { FilterPlugin, NodeParts, Snapshot } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { ColumnTable } from '../../memory/column-table.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import { SharedVector } from '../../memory/shared-vector.ts';
import type { NodeMask } from '../index/node-mask.ts';
import type { TopologyRules } from '../topology/topology-rules.ts';
import { keyOfParts, type NodeLookSets, type NodeLooks } from '../verdicts/node-looks.ts';
import { rulesOfMasks } from './mask-rules.ts';

/** The most forms whose answers are kept. */
const MOST_FORMS = 256;

/** The looks of nodes that there were when a filter answered. */
interface KeptLooks {
  /** The key of the parts of nodes by which these are sorted. */
  readonly key: string;
  readonly looks: NodeLooks;
  readonly count: number;
}

/** The answers of all filters to pods of one form. */
export interface FormAnswers {
  /** The masks of the filters that do not accept all nodes. */
  readonly masks: readonly NodeMask[];
  /** The same as rules by which nodes are sorted; null without masks, and if there are too many kinds of nodes. */
  readonly rules: TopologyRules | null;
}

interface KeptAnswers extends FormAnswers {
  readonly looks: readonly KeptLooks[];
}

export interface AttemptFormsModules {
  readonly memory: SharedMemory;
  readonly table: ColumnTable;
  readonly looks: NodeLookSets;
}

/**
 * The answers of filters that are asked in every attempt, by the forms that these filters give pods: pods whose claims
 * are bound to volumes of one zone have one form, whatever the names of claims and volumes.
 */
export class AttemptForms {
  readonly #modules: AttemptFormsModules;
  readonly #known = new Map<string, KeptAnswers>();

  constructor(modules: AttemptFormsModules) {
    this.#modules = modules;
  }

  /** The answers that were kept for the form; null if there are none, or nodes have other looks since. */
  answersOf(form: string): FormAnswers | null {
    const known = this.#known.get(form);
    if (known === undefined) return null;
    for (const { key, looks, count } of known.looks) {
      if (looks.count === count && this.#modules.looks.known(key) === looks) continue;
      this.#remove(form, known);
      return null;
    }
    return known;
  }

  /** Keeps answers about looks: the mask of each filter, or null if it accepts all nodes. */
  keep(form: string, answers: readonly (readonly [NodeParts, NodeMask | null])[]): void {
    const { looks: sets, table } = this.#modules;
    const looksOfAll: KeptLooks[] = [];
    const masked: { readonly looks: NodeLooks; readonly mask: NodeMask }[] = [];
    for (const [parts, mask] of answers) {
      const looks = sets.of(parts);
      if (looks === null) return;
      looksOfAll.push({ key: keyOfParts(parts), looks, count: looks.count });
      if (mask !== null) masked.push({ looks, mask: this.#copyOf(mask, looks.count) });
    }
    if (this.#known.size >= MOST_FORMS) for (const [other, known] of this.#known) this.#remove(other, known);
    const masks = masked.map(({ mask }) => mask);
    this.#known.set(form, { looks: looksOfAll, masks, rules: rulesOfMasks(masked, table) });
  }

  #copyOf({ column, accepted }: NodeMask, count: number): NodeMask {
    const copy = new SharedVector(this.#modules.memory, 'looks that pods of a form accept');
    copy.reserve(count);
    copy.values.set(accepted.values.subarray(0, count));
    return { column, accepted: copy };
  }

  #remove(form: string, { masks }: KeptAnswers): void {
    for (const { accepted } of masks) accepted.release();
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
