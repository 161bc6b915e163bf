import type { Condition, Labels } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import type { SharedInformer } from '../../client/informer/shared-informer.ts';

/** Told of changes of pods; `before` and `after` are undefined for pods that come and go. */
type PodListener = (before: Pod | undefined, after: Pod | undefined) => void;

/** Which pods are meant. */
export interface PodSelector {
  readonly namespaces: ReadonlySet<string>;
  /** Empty: all. */
  readonly labels: Labels;
}

/** What becomes of pods, as the scheduler's own cache sees it, for everybody who waits or counts. */
export class PodWatch {
  readonly #informer: SharedInformer<Pod>;
  readonly #listeners = new Set<PodListener>();

  constructor(informer: SharedInformer<Pod>) {
    this.#informer = informer;
    informer.addHandler(
      {
        onAdd: (pod) => this.#tell(undefined, pod),
        onUpdate: (before, after) => this.#tell(before, after),
        onDelete: (pod) => this.#tell(pod, undefined),
      },
      { name: 'benchmark' },
    );
  }

  /** Pods that are there now. */
  list(selector: PodSelector): Pod[] {
    return this.#informer.lister.list().filter((pod) => isSelected(pod, selector));
  }

  /** Counts the pods that are there and those that come, until it is closed. */
  tally(selector: PodSelector): PodTally {
    const tally = new PodTally(selector, (listener) => this.#listeners.delete(listener));
    for (const pod of this.#informer.lister.list()) tally.listener(undefined, pod);
    this.#listeners.add(tally.listener);
    return tally;
  }

  /** Calls for each pod that gets its node from now on. Returns how to stop that. */
  onScheduled(selector: PodSelector, scheduled: (pod: Pod) => void): () => void {
    const listener: PodListener = (before, after) => {
      if (after?.spec?.nodeName && !before?.spec?.nodeName && isSelected(after, selector)) scheduled(after);
    };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(before: Pod | undefined, after: Pod | undefined): void {
    for (const listener of this.#listeners) listener(before, after);
  }
}

/** How many pods are on a node, and how many the scheduler has tried, or has been kept from trying. */
export class PodTally {
  scheduled = 0;
  /** Without those that are scheduled. */
  attempted = 0;
  readonly listener: PodListener;
  readonly #close: (listener: PodListener) => void;

  constructor(selector: PodSelector, close: (listener: PodListener) => void) {
    this.#close = close;
    this.listener = (before, after) => {
      if (before !== undefined && isSelected(before, selector)) this.#count(before, -1);
      if (after !== undefined && isSelected(after, selector)) this.#count(after, 1);
    };
  }

  close(): void {
    this.#close(this.listener);
  }

  #count({ spec, status }: Pod, change: 1 | -1): void {
    if (spec?.nodeName) this.scheduled += change;
    else if (status?.conditions?.some(isAboutScheduling)) this.attempted += change;
  }
}

function isAboutScheduling({ type }: Condition): boolean {
  return type === 'PodScheduled';
}

export function isSelected({ metadata }: Pod, { namespaces, labels }: PodSelector): boolean {
  if (!namespaces.has(metadata?.namespace ?? '')) return false;
  for (const key in labels) if (metadata?.labels?.[key] !== labels[key]) return false;
  return true;
}
