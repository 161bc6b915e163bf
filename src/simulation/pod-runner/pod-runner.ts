import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import { stateHandler } from '../../client/informer/event-handler.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { unlessRefused } from '../../store/objects/api-error.ts';
import { annotatedFate, type FateOf } from './pod-fate.ts';
import { PodRun, type PodRunModules } from './pod-run.ts';

/** The parts of a cluster that a pod runner uses. */
export type PodRunnerModules = Pick<Cluster, 'client' | 'informers' | 'loop' | 'reportError'>;

/** How a pod runner runs pods. */
export interface PodRunnerOptions {
  /**
   * Decides the fate of pods; absent: the annotations `pod-runner.berth/run-seconds`, `/exit-code` and `/stop-seconds`
   * of the pod do.
   */
  readonly fateOf?: FateOf;
  /** The node to which all pods are bound; null: pods run on the existing nodes to which a scheduler binds them. */
  readonly nodeName?: string | null;
}

/**
 * Replaces node agents, and usually the scheduler, where only the lives of pods matter: every pod is bound to one
 * pretended node without limits, and runs and ends as its fate says. A deleted pod gets its grace period.
 */
export class PodRunner {
  readonly #modules: PodRunModules;
  readonly #nodeName: string | null;
  readonly #runs = new Map<string, PodRun>();

  /** The informers must not have been started yet. */
  constructor(modules: PodRunnerModules, { fateOf = annotatedFate, nodeName = 'node-1' }: PodRunnerOptions = {}) {
    const { client, informers, loop, reportError } = modules;
    this.#modules = { client, loop, reportError, fateOf };
    this.#nodeName = nodeName;
    if (nodeName !== null) this.#register(nodeName);
    const handler = stateHandler<Pod>(
      (pod) => this.#see(pod),
      (pod) => this.#forget(pod),
    );
    informers.of('pods').addHandler(handler, { name: 'pod runner' });
  }

  #register(nodeName: string): void {
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    const node = { metadata: { name: nodeName }, status };
    unlessRefused(['AlreadyExists'], () => this.#modules.client.create('nodes', node));
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
      run = new PodRun(pod, this.#modules);
      this.#runs.set(uid, run);
      run.start();
    }
    if (pod.metadata?.deletionTimestamp !== undefined) run.stop(pod);
  }

  /** Binds the pod. A pod that is gone, or was bound by another scheduler, is ignored. */
  #bind({ metadata }: Pod, nodeName: string): void {
    const { namespace = '', name = '', uid } = metadata ?? {};
    const binding = { metadata: { uid }, target: { name: nodeName } };
    unlessRefused(['NotFound', 'Conflict'], () => this.#modules.client.bind(namespace, name, binding));
  }

  #forget({ metadata }: Pod): void {
    const uid = metadata?.uid ?? '';
    this.#runs.get(uid)?.abandon();
    this.#runs.delete(uid);
  }
}
