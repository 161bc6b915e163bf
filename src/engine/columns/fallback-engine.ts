import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Cycle } from '../cycle/engine.ts';
import { ReferenceEngine } from '../reference/reference-engine.ts';

/**
 * The reference engine, for pods about which columns cannot answer. That is slower by orders of magnitude, so each
 * reason is a warning when it first comes up.
 */
export class FallbackEngine {
  readonly #reference: ReferenceEngine;
  readonly #logger: Logger;
  readonly #known = new Set<string>();

  constructor(framework: Framework, cluster: ClusterState) {
    this.#reference = new ReferenceEngine(framework, cluster);
    this.#logger = framework.logger.named('engine');
  }

  begin(pod: PodInfo, reason: string): Cycle {
    const isFirst = this.#isFirst(reason);
    if (isFirst) this.#logger.warn('the reference engine decides instead of columns', { reason, pod: pod.key });
    else if (this.#logger.isEnabled('debug'))
      this.#logger.debug('the reference engine decides', { reason, pod: pod.key });
    return this.#reference.begin(pod);
  }

  /** Warns that every pod takes a cycle because the totals of the index cannot be trusted. */
  indexIsUnusable(): void {
    const reason = 'amounts too large for the index';
    if (this.#isFirst(reason)) this.#logger.warn('cycles decide instead of the index', { reason });
  }

  #isFirst(reason: string): boolean {
    if (this.#known.has(reason)) return false;
    this.#known.add(reason);
    return true;
  }
}
