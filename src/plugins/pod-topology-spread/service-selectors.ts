import { type Selector, selectorFromSet } from '../../api/label-selector.ts';
import type { Labels } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import type { SelectorOwner } from '../../api/workloads.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { ObjectLog } from '../../framework/object-log.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { memoized } from '../../lib/memoized.ts';
import { PairMap } from '../../lib/pair-map.ts';

const NO_SELECTORS: readonly Labels[] = [];

/** The selector of a service, compiled once. */
const compiled = memoized((selector: Labels): Selector => selectorFromSet(selector));

/** The selectors of the services that select the pod. */
export function serviceSelectorsOf(pod: Pod, objects: ClusterObjects): readonly Labels[] {
  return getOrMake(indexes, objects, () => new ServiceSelectors(objects)).of(pod);
}

/** Finds services by one label that each selects, since a namespace can have thousands of them. */
class ServiceSelectors {
  readonly #objects: ClusterObjects;
  readonly #log: ObjectLog<SelectorOwner>;
  /** The label by which each service is found. */
  readonly #labels = new PairMap<string>();
  /** The selectors by namespace and label, and by the name of the service. */
  readonly #byLabel = new PairMap<Map<string, Labels>>();

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
    this.#log = objects.followObjects('Service');
    this.#readAll();
  }

  of({ metadata }: Pod): readonly Labels[] {
    if (this.#log.hasChanges) this.#catchUp();
    const namespace = metadata?.namespace || 'default';
    const labels = metadata?.labels;
    let found: Labels[] | undefined;
    const add = (label: string): void => {
      for (const selector of this.#byLabel.get(namespace, label)?.values() ?? NO_SELECTORS) {
        if (!compiled(selector).matches(labels)) continue;
        if (found === undefined) found = [selector];
        else found.push(selector);
      }
    };
    add(ALL_PODS);
    for (const key in labels) add(`${key}=${labels[key]}`);
    return found ?? NO_SELECTORS;
  }

  #catchUp(): void {
    const changed = this.#log.take();
    if (changed === null) {
      this.#labels.clear();
      this.#byLabel.clear();
      this.#readAll();
    } else for (const service of changed) this.#read(service);
  }

  #readAll(): void {
    for (const service of this.#objects.list('Service')) this.#read(service);
  }

  /** Reads the present version of the service. */
  #read({ metadata }: SelectorOwner): void {
    const namespace = metadata?.namespace || 'default';
    const name = metadata?.name ?? '';
    const before = this.#labels.get(namespace, name);
    if (before !== undefined) this.#byLabel.get(namespace, before)?.delete(name);
    this.#labels.delete(namespace, name);
    const selector = this.#objects.get('Service', name, namespace)?.spec?.selector;
    if (!selector) return;
    const label = firstLabelOf(selector);
    this.#labels.set(namespace, name, label);
    const known = this.#byLabel.get(namespace, label);
    if (known === undefined) this.#byLabel.set(namespace, label, new Map([[name, selector]]));
    else known.set(name, selector);
  }
}

/** Stands for the label of a service that selects all pods. */
const ALL_PODS = '';
const indexes = new WeakMap<ClusterObjects, ServiceSelectors>();

function firstLabelOf(selector: Labels): string {
  for (const key in selector) return `${key}=${selector[key]}`;
  return ALL_PODS;
}
