import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { Informers } from '../../client/informer/informers.ts';
import type { ReportError } from '../../client/report-error.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { annotatedFate, type FateOf } from './pod-fate.ts';
import { PodRun, type PodRunModules } from './pod-run.ts';

/** A cluster has them all. */
export interface PodRunnerModules {
  readonly client: StoreClient;
  readonly informers: Informers;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
}

export interface PodRunnerOptions {
  /** Absent: as the annotations `pod-runner.berth/run-seconds`, `/exit-code` and `/stop-seconds` of the pod say. */
  readonly fateOf?: FateOf;
  /** Where all pods go; null: wherever a scheduler puts them, on nodes that are there. */
  readonly nodeName?: string | null;
}

/**
 * Stands in for node agents, and mostly for the scheduler, too, where only the lives of pods matter: every pod goes to
 * one pretended node that has room for all, runs for as long as it is told to, and ends as it is told to. A pod that is
 * deleted gets its grace period.
 */
export class PodRunner {
  readonly #modules: PodRunnerModules;
  readonly #runModules: PodRunModules;
  readonly #nodeName: string | null;
  readonly #runs = new Map<string, PodRun>();

  /** To be made before the informers are started. */
  constructor(modules: PodRunnerModules, { fateOf = annotatedFate, nodeName = 'node-1' }: PodRunnerOptions = {}) {
    const { client, informers, loop, reportError } = modules;
    this.#modules = modules;
    this.#runModules = { client, loop, reportError, fateOf };
    this.#nodeName = nodeName;
    if (nodeName !== null) this.#register(nodeName);
    const handler = {
      onAdd: (pod: Pod) => this.#see(pod),
      onUpdate: (_: Pod, pod: Pod) => this.#see(pod),
      onDelete: (pod: Pod) => this.#forget(pod),
    };
    informers.of('pods').addHandler(handler, { name: 'pod runner' });
  }

  #register(nodeName: string): void {
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    try {
      this.#modules.client.create('nodes', { metadata: { name: nodeName }, status });
    } catch (error) {
      if (!isApiError(error, 'AlreadyExists')) throw error;
    }
  }

  #see(pod: Pod): void {
    const { metadata, spec } = pod;
    if (!spec?.nodeName) {
      const isGated = (spec?.schedulingGates?.length ?? 0) > 0;
      if (this.#nodeName === null) return;
      if (!isGated && metadata?.deletionTimestamp === undefined) this.#bind(pod, this.#nodeName);
    } else if (this.#nodeName === null || spec.nodeName === this.#nodeName) this.#run(pod);
  }

  #run(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    let run = this.#runs.get(uid);
    if (run === undefined) {
      if (isPodFinished(pod)) return;
      run = new PodRun(pod, this.#runModules);
      this.#runs.set(uid, run);
      run.start();
    }
    if (pod.metadata?.deletionTimestamp !== undefined) run.stop(pod);
  }

  /** A pod that is gone, or was bound by somebody else, is nobody's mistake. */
  #bind({ metadata }: Pod, nodeName: string): void {
    const { namespace = '', name = '', uid } = metadata ?? {};
    try {
      this.#modules.client.bind(namespace, name, { metadata: { uid }, target: { name: nodeName } });
    } catch (error) {
      if (!isApiError(error, 'NotFound') && !isApiError(error, 'Conflict')) throw error;
    }
  }

  #forget({ metadata }: Pod): void {
    const uid = metadata?.uid ?? '';
    this.#runs.get(uid)?.abandon();
    this.#runs.delete(uid);
  }
}
