import type { Labels } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import type { SharedInformer } from '../../client/informer/shared-informer.ts';

/** Is called for changes of pods; `before` is undefined for a new pod, `after` for a deleted one. */
type PodListener = (before: Pod | undefined, after: Pod | undefined) => void;

/** Selects pods. */
export interface PodSelector {
  readonly namespaces: ReadonlySet<string>;
  /** The labels that pods must have; empty selects all. */
  readonly labels: Labels;
}

/** Observes pods as the scheduler's own cache shows them, for everything that waits or counts. */
export class PodWatch {
  readonly #informer: SharedInformer<Pod>;
  readonly #listeners = new Set<PodListener>();

  constructor(informer: SharedInformer<Pod>) {
    this.#informer = informer;
    informer.addHandler(
      {
        onAdd: (pod) => this.#notify(undefined, pod),
        onUpdate: (before, after) => this.#notify(before, after),
        onDelete: (pod) => this.#notify(pod, undefined),
      },
      { name: 'benchmark' },
    );
  }

  /** The selected pods that exist now. */
  list(selector: PodSelector): Pod[] {
    return this.#informer.lister.list().filter((pod) => isSelected(pod, selector));
  }

  /** Counts the existing pods and new ones, until it is closed. */
  tally(selector: PodSelector): PodTally {
    const count = ({ spec, status }: Pod, change: 1 | -1): void => {
      if (spec?.nodeName) tally.scheduled += change;
      else if (status?.conditions?.some(({ type }) => type === 'PodScheduled')) tally.attempted += change;
    };
    const listener: PodListener = (before, after) => {
      if (before !== undefined && isSelected(before, selector)) count(before, -1);
      if (after !== undefined && isSelected(after, selector)) count(after, 1);
    };
    const tally: PodTally = { scheduled: 0, attempted: 0, close: () => this.#listeners.delete(listener) };
    for (const pod of this.#informer.lister.list()) listener(undefined, pod);
    this.#listeners.add(listener);
    return tally;
  }

  /** Calls `scheduled` for each pod that gets its node from now on. Returns a function that stops that. */
  onScheduled(selector: PodSelector, scheduled: (pod: Pod) => void): () => void {
    const listener: PodListener = (before, after) => {
      if (after?.spec?.nodeName && !before?.spec?.nodeName && isSelected(after, selector)) scheduled(after);
    };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(before: Pod | undefined, after: Pod | undefined): void {
    for (const listener of this.#listeners) listener(before, after);
  }
}

/** Counts of the pods on a node, and of the pods that the scheduler has attempted or reported as gated. */
export interface PodTally {
  scheduled: number;
  /** The attempted pods without the scheduled ones. */
  attempted: number;
  close(): void;
}

export function isSelected({ metadata }: Pod, { namespaces, labels }: PodSelector): boolean {
  if (!namespaces.has(metadata?.namespace ?? '')) return false;
  for (const key in labels) if (metadata?.labels?.[key] !== labels[key]) return false;
  return true;
}
