import type { Labels, ObjectMeta } from '../../api/meta.ts';
import { CodedError } from '../../lib/errors.ts';
import type { PlannedChange } from '../workload/planned-change.ts';
import type { NamedObject } from '../workload/submitted-object.ts';
import { firstBeginMillis, type PlannedFault } from './fault-file.ts';
import { type FaultSettings, selectionOf, strikesNodes } from './fault-kinds.ts';

/** What a simulation has for faults to strike. */
export interface FaultField {
  /** The objects that are there from the beginning. */
  readonly objects: readonly NamedObject[];
  /** One object of each source of arrivals. */
  readonly templates: readonly NamedObject[];
  readonly changes: readonly PlannedChange[];
  /** Whether threads help the scheduler; undefined: that is not known. */
  readonly hasThreads: boolean | undefined;
  readonly untilMillis: number | undefined;
  /** Where the user finds a fault. */
  readonly placeOf: (index: number) => string;
}

/**
 * Checks that there is a target for every fault, in the input or among what may come later. Returns warnings about
 * faults that come too late.
 *
 * @throws CodedError `UnknownNode`, `NoThread`
 */
export function checkFaultTargets(faults: readonly PlannedFault[], field: FaultField): readonly string[] {
  const nodes = new PossibleNodes(field);
  for (const [i, { kind, settings }] of faults.entries()) {
    const problem = strikesNodes(kind) ? nodes.problemOf(settings) : undefined;
    if (problem !== undefined) throw new CodedError('UnknownNode', `${field.placeOf(i)}: ${problem}`);
    if (kind !== 'workerDeath' || field.hasThreads !== false) continue;
    throw new CodedError('NoThread', `${field.placeOf(i)}: there is no thread that could end (--workers 2 or more)`);
  }
  const { untilMillis = Number.POSITIVE_INFINITY } = field;
  return faults.flatMap((fault, i) =>
    firstBeginMillis(fault) > untilMillis ? [`${field.placeOf(i)}: begins only after the time of --until`] : [],
  );
}

/** The nodes that there are at some time, as far as that is known before. */
export class PossibleNodes {
  readonly #names = new Set<string>();
  /** The beginnings of names that are numbered, or generated. */
  readonly #prefixes: string[] = [];
  readonly #labels: Labels[] = [];

  constructor({ objects, templates, changes }: Pick<FaultField, 'objects' | 'templates' | 'changes'>) {
    for (const { submitted } of objects) if (submitted.resource === 'nodes') this.#add(submitted.object.metadata);
    for (const { submitted } of templates) {
      if (submitted.resource !== 'nodes') continue;
      const { name, generateName } = submitted.object.metadata ?? {};
      this.#add(submitted.object.metadata);
      this.#prefixes.push(name === undefined ? (generateName ?? '') : `${name}-`);
    }
    for (const { resource, object, verb } of changes) {
      if (resource !== 'nodes' || verb === 'delete') continue;
      // A patch adds its labels to those that the node has already.
      const added = object.metadata?.labels;
      if (verb === 'patch') this.#labels.push(...this.#labels.map((labels) => ({ ...labels, ...added })));
      else this.#add(object.metadata);
    }
  }

  /** Whether there is no node at any time. */
  get isEmpty(): boolean {
    return this.#labels.length === 0;
  }

  /** Why no node is meant; undefined: one is, or the fault strikes any node and there is one. */
  problemOf(settings: FaultSettings): string | undefined {
    const { node: name, nodes: labels = {}, selector } = settings;
    if (this.isEmpty) return 'there is no node in the input';
    if (name !== undefined && !this.isKnown(name)) return `there is no node "${name}" in the input`;
    const selects = selectionOf(settings);
    if (selects === null || this.#labels.some(selects)) return undefined;
    if (selector !== undefined) return `no node in the input is selected by ${selector}`;
    const text = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
    return `no node in the input has the label ${text.join(',')}`;
  }

  isKnown(name: string): boolean {
    return this.#names.has(name) || this.#prefixes.some((prefix) => name.startsWith(prefix) && name !== prefix);
  }

  #add({ name, labels = {} }: ObjectMeta = {}): void {
    if (name !== undefined) this.#names.add(name);
    this.#labels.push(labels);
  }
}
