import type { Job } from '../../api/job.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import { CodedError } from '../../lib/errors.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { type OpenKubeconfig, openKubeconfig } from '../../remote/connection/kubeconfig.ts';
import type { JobApi, JobChange } from '../../sweep/kubernetes/job-api.ts';
import { CONTAINER, SWEEP_LABEL } from '../../sweep/kubernetes/sweep-job.ts';

type Client = OpenKubeconfig['client'];

export interface JobApiOptions {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** Absent: that of the context. */
  readonly namespace: string | undefined;
}

/** A cluster, as far as the Jobs of sweeps need it. */
export interface JobCluster {
  readonly namespace: string;
  /** The API for the Job with this name. */
  apiOf(name: string, timers: EventLoop): JobApi;
}

const RECONNECT_MILLIS = 1000;

/** The cluster of a kubeconfig. @throws KubeconfigError */
export async function jobCluster({ kubeconfig, context, namespace }: JobApiOptions): Promise<JobCluster> {
  const { client, config, namespace: inContext } = await openKubeconfig({ kubeconfig, context });
  const ownNamespace = namespace ?? inContext ?? 'default';
  return {
    namespace: ownNamespace,
    apiOf: (name, timers) => new KubernetesJobs(client, config, { name, namespace: ownNamespace, timers }),
  };
}

interface JobPlace {
  readonly name: string;
  readonly namespace: string;
  readonly timers: EventLoop;
}

class KubernetesJobs implements JobApi {
  readonly #client: Client;
  readonly #config: InstanceType<Client['KubeConfig']>;
  readonly #core: InstanceType<Client['CoreV1Api']>;
  readonly #batch: InstanceType<Client['BatchV1Api']>;
  readonly #place: JobPlace;

  constructor(client: Client, config: InstanceType<Client['KubeConfig']>, place: JobPlace) {
    this.#client = client;
    this.#config = config;
    this.#core = config.makeApiClient(client.CoreV1Api);
    this.#batch = config.makeApiClient(client.BatchV1Api);
    this.#place = place;
  }

  async find(): Promise<Job | undefined> {
    const { name, namespace } = this.#place;
    try {
      return (await this.#batch.readNamespacedJob({ name, namespace })) as Job;
    } catch (error) {
      if (codeOf(error) === NOT_FOUND) return undefined;
      throw refused(error);
    }
  }

  async create(objects: readonly KubernetesObject[]): Promise<void> {
    const { namespace } = this.#place;
    for (const body of objects) {
      try {
        if (body.kind === 'Job') await this.#batch.createNamespacedJob({ namespace, body: body as object });
        else await this.#core.createNamespacedConfigMap({ namespace, body: body as object });
      } catch (error) {
        throw refused(error);
      }
    }
  }

  watch(onChange: (change: JobChange) => void, onError: (message: string) => void): () => void {
    const { namespace } = this.#place;
    const labelSelector = this.#selector();
    const stops = [
      this.#follow(
        `/api/v1/namespaces/${namespace}/pods`,
        () => this.#core.listNamespacedPod({ namespace, labelSelector }),
        (pod, isGone) => onChange({ what: 'pod', pod: pod as Pod, isGone }),
        onError,
      ),
      this.#follow(
        `/apis/batch/v1/namespaces/${namespace}/jobs`,
        () => this.#batch.listNamespacedJob({ namespace, labelSelector }),
        (job, isGone) => onChange({ what: 'job', job: job as Job, isGone }),
        onError,
      ),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  async warnings() {
    const { namespace, name } = this.#place;
    const fieldSelector = `involvedObject.kind=Job,involvedObject.name=${name}`;
    const { items } = await this.#core.listNamespacedEvent({ namespace, fieldSelector });
    return items.filter(({ type }) => type === 'Warning').map(({ reason = '', message = '' }) => ({ reason, message }));
  }

  async log(name: string): Promise<string> {
    const { namespace } = this.#place;
    try {
      return await this.#core.readNamespacedPodLog({ namespace, name, container: CONTAINER });
    } catch (error) {
      throw refused(error);
    }
  }

  async remove(): Promise<void> {
    const { namespace, name } = this.#place;
    const removals = [
      this.#batch.deleteNamespacedJob({ namespace, name, propagationPolicy: 'Background' }),
      this.#core.deleteCollectionNamespacedConfigMap({ namespace, labelSelector: this.#selector() }),
    ];
    for (const removal of await Promise.allSettled(removals)) {
      if (removal.status === 'rejected' && codeOf(removal.reason) !== NOT_FOUND) throw refused(removal.reason);
    }
  }

  #selector(): string {
    return `${SWEEP_LABEL}=${this.#place.name}`;
  }

  /** Lists and watches, and does so again when the connection breaks. */
  #follow(
    path: string,
    list: () => Promise<{ readonly items: readonly unknown[] }>,
    onObject: (object: unknown, isGone: boolean) => void,
    onError: (message: string) => void,
  ): () => void {
    const { timers } = this.#place;
    const informer = this.#client.makeInformer(this.#config, path, list as never, this.#selector());
    let isStopped = false;
    const again = (error: unknown): void => {
      if (isStopped) return;
      onError(textOf(error));
      timers.after(RECONNECT_MILLIS, () => {
        if (!isStopped) informer.start().catch(again);
      });
    };
    informer.on('change', (object) => onObject(object, false));
    informer.on('delete', (object) => onObject(object, true));
    informer.on('error', again);
    informer.start().catch(again);
    return () => {
      isStopped = true;
      informer.stop().catch(() => {});
    };
  }
}

const NOT_FOUND = 404;

function codeOf(error: unknown): number | undefined {
  return (error as { readonly code?: number } | null)?.code;
}

/** An error with the words of the API. */
function refused(error: unknown): CodedError<'Refused'> {
  return new CodedError('Refused', textOf(error));
}

function textOf(error: unknown): string {
  const { body, message, cause } = (error ?? {}) as { body?: unknown; message?: string; cause?: { message?: string } };
  const status = typeof body === 'string' ? parsed(body) : body;
  const answered = (status as { readonly message?: string } | undefined)?.message;
  return answered ?? cause?.message ?? message?.split('\n', 1)[0] ?? String(error);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
