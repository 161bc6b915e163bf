import type { Pod } from '../../api/pod.ts';
import type { DelayingQueue } from '../../client/queue/work-queues.ts';
import type { ReportError } from '../../client/report-error.ts';
import { ifFound } from '../../store/objects/api-error.ts';
import type { PodGcApi } from './pod-gc-api.ts';

export interface OrphanedPodsOptions {
  readonly api: PodGcApi;
  readonly quarantine: DelayingQueue<string>;
  readonly quarantineMillis: number;
  readonly reportError: ReportError;
}

/**
 * Finds pods whose node is gone. A node that is missing in the cache may not have arrived there yet, so its name is
 * quarantined first, and afterwards the API is asked.
 *
 * ```
 *   not in the cache ─▶ quarantine (40 s; seen again meanwhile: no change) ─▶ back in the cache? ─yes─▶ nothing
 *                                                                               │ no
 *                                             all its pods ◀─not found─ live look-up ─found, or it failed─▶ nothing
 * ```
 *
 * A pass quarantines missing nodes before it takes the names whose quarantine is over. So there is one more look-up
 * after a failure, and also after the pods are gone.
 */
export class OrphanedPods {
  readonly #options: OrphanedPodsOptions;
  #sawMissingNode = false;

  constructor(options: OrphanedPodsOptions) {
    this.#options = options;
  }

  /** Whether the last pass found a pod on a node that is not in the cache. */
  get sawMissingNode(): boolean {
    return this.#sawMissingNode;
  }

  /** `pods`: those whose node may be gone. */
  find(pods: readonly Pod[], knownNodeNames: ReadonlySet<string>): readonly Pod[] {
    const { quarantine, quarantineMillis } = this.#options;
    this.#sawMissingNode = false;
    for (let i = 0; i < pods.length; i++) {
      const nodeName = pods[i]?.spec?.nodeName;
      if (!nodeName || knownNodeNames.has(nodeName)) continue;
      this.#sawMissingNode = true;
      quarantine.addAfter(nodeName, quarantineMillis);
    }
    const goneNodeNames = this.#takeGoneNodes(knownNodeNames);
    if (goneNodeNames.size === 0) return [];
    return pods.filter(({ spec }) => goneNodeNames.has(spec?.nodeName ?? ''));
  }

  /** The nodes whose quarantine is over, and that are gone in the API. */
  #takeGoneNodes(knownNodeNames: ReadonlySet<string>): Set<string> {
    const { quarantine } = this.#options;
    const gone = new Set<string>();
    for (let name = quarantine.get(); name !== undefined; name = quarantine.get()) {
      if (!knownNodeNames.has(name) && this.#isGone(name)) gone.add(name);
      quarantine.done(name);
    }
    return gone;
  }

  #isGone(nodeName: string): boolean {
    const { api, reportError } = this.#options;
    try {
      return ifFound(() => api.getNode(nodeName)) === undefined;
    } catch (error) {
      reportError(error, `get node ${nodeName}`);
      return false;
    }
  }
}
