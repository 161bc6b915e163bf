import type { EventLoop } from '../../src/lib/event-loop.ts';
import { Prng } from '../../src/lib/prng.ts';
import type { ApiCall, KubeConnection } from '../../src/remote/connection/kube-connection.ts';

/** What users do to a cluster over its API, at random times; the same seed draws the same actions. */
export interface LifeOptions {
  readonly seed: number;
  readonly millis: number;
  /** The nodes that the cluster had at the beginning. */
  readonly nodes: readonly string[];
  /** The mean time between two actions. */
  readonly pauseMillis: number;
}

const NAMESPACE = '/api/v1/namespaces/default';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const DEPLOYMENTS_COUNT = 8;
const MERGE = 'application/merge-patch+json';

interface Listed {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

/**
 * The users of a small cluster that is short of room at times: Jobs, Deployments that grow and shrink, pods of high
 * priority that evict others, deleted pods and Jobs, cordons, and nodes that leave and come back.
 */
export class RandomLife {
  readonly #users: KubeConnection;
  readonly #loop: EventLoop;
  readonly #options: LifeOptions;
  readonly #prng: Prng;
  #count = 0;
  readonly #away: string[] = [];
  readonly #cordoned: string[] = [];
  /** How often each action was taken, and how often it was refused. */
  readonly taken = new Map<string, number>();

  constructor(users: KubeConnection, loop: EventLoop, options: LifeOptions) {
    this.#users = users;
    this.#loop = loop;
    this.#options = options;
    this.#prng = new Prng(options.seed);
  }

  /** Resolves when the time is over. */
  async live(): Promise<void> {
    const { millis, pauseMillis } = this.#options;
    const endMillis = this.#loop.nowMillis() + millis;
    await this.#begin();
    while (this.#loop.nowMillis() < endMillis) {
      await this.#act();
      // Every other action follows the one before at once, so that changes and decisions come close together.
      if (this.#prng.below(2) === 0) await this.#pause(this.#prng.below(4 * pauseMillis));
    }
  }

  async #begin(): Promise<void> {
    const scheduling = '/apis/scheduling.k8s.io/v1/priorityclasses';
    for (const [name, value] of [['high', 1000] as const, ['low', -10] as const]) {
      const body = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value };
      await this.#call('priority class', { method: 'POST', path: scheduling, body });
    }
    for (let i = 0; i < DEPLOYMENTS_COUNT; i++) {
      const spec = { replicas: 5, selector: { matchLabels: { app: `d${i}` } }, template: this.#template(`d${i}`, '') };
      const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: `d${i}` }, spec };
      await this.#call('deployment', { method: 'POST', path: DEPLOYMENTS, body });
    }
  }

  #act(): Promise<void> {
    const draw = this.#prng.below(100);
    if (draw < 38) return this.#addJob();
    if (draw < 58) return this.#addPods();
    if (draw < 73) return this.#scale();
    if (draw < 79) return this.#deletePod();
    if (draw < 83) return this.#deleteJob();
    if (draw < 88) return this.#cordon();
    if (draw < 93) return this.#uncordon();
    return draw < 96 ? this.#removeNode() : this.#bringNodeBack();
  }

  #addJob(): Promise<void> {
    const parallelism = this.#pick([1, 2, 4, 8, 20]);
    const name = `job-${this.#count++}`;
    const template = this.#template(name, `uniform(5s, ${this.#pick(['1m', '5m', '10m'])})`);
    const spec = { parallelism, completions: parallelism, backoffLimit: 50, ttlSecondsAfterFinished: 60, template };
    const body = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec };
    return this.#call('job', { method: 'POST', path: JOBS, body });
  }

  async #addPods(): Promise<void> {
    const count = this.#pick([1, 1, 1, 3, 10]);
    const calls = Array.from({ length: count }, () => {
      const name = `pod-${this.#count++}`;
      const template = this.#template(this.#pick(['a', 'b', 'c']), `${this.#pick([10, 30, 90])}s`);
      const metadata = { ...template.metadata, name };
      const body = { apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec };
      return this.#call('pod', { method: 'POST', path: `${NAMESPACE}/pods`, body });
    });
    await Promise.all(calls);
  }

  /** A template of pods; those without `runs` run without end. */
  #template(app: string, runs: string) {
    const { topologySpreadConstraints, affinity } = this.#rules(app);
    const requests = { cpu: this.#pick(['250m', '500m', '1', '2', '4']), memory: this.#pick(['256Mi', '1Gi', '4Gi']) };
    const priorityClassName = this.#pick(['', '', '', '', '', 'high', 'low']);
    return {
      metadata: { labels: { app }, annotations: runs === '' ? {} : { 'berth.dev/run-duration': runs } },
      spec: {
        containers: [{ name: 'c', image: `image-${app}`, resources: { requests } }],
        terminationGracePeriodSeconds: this.#pick([1, 5, 30]),
        ...(runs !== '' && { restartPolicy: 'Never' }),
        ...(priorityClassName !== '' && { priorityClassName }),
        ...{ topologySpreadConstraints, affinity },
      },
    };
  }

  #rules(app: string) {
    const labelSelector = { matchLabels: { app } };
    const whenUnsatisfiable = this.#pick(['DoNotSchedule', 'ScheduleAnyway']);
    const spread = { maxSkew: 1, topologyKey: this.#pick([ZONE, HOST]), whenUnsatisfiable, labelSelector };
    const term = { topologyKey: HOST, labelSelector };
    const apart = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const draw = this.#prng.below(10);
    if (draw < 2) return { topologySpreadConstraints: [spread], affinity: undefined };
    return { topologySpreadConstraints: undefined, affinity: draw === 2 ? apart : undefined };
  }

  #scale(): Promise<void> {
    const path = `${DEPLOYMENTS}/d${this.#prng.below(DEPLOYMENTS_COUNT)}`;
    const body = { spec: { replicas: this.#pick([0, 2, 5, 10, 40]) } };
    return this.#call('scale', { method: 'PATCH', path, body, contentType: MERGE });
  }

  async #deletePod(): Promise<void> {
    const name = await this.#anyOf(`${NAMESPACE}/pods`);
    if (name !== undefined) await this.#call('delete pod', { method: 'DELETE', path: `${NAMESPACE}/pods/${name}` });
  }

  async #deleteJob(): Promise<void> {
    const name = await this.#anyOf(JOBS);
    const body = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' };
    if (name !== undefined) await this.#call('delete job', { method: 'DELETE', path: `${JOBS}/${name}`, body });
  }

  async #cordon(): Promise<void> {
    const name = this.#pick(this.#options.nodes);
    if (this.#away.includes(name) || this.#cordoned.includes(name)) return;
    this.#cordoned.push(name);
    await this.#setUnschedulable(name, true);
  }

  async #uncordon(): Promise<void> {
    const name = this.#cordoned.shift();
    if (name !== undefined) await this.#setUnschedulable(name, false);
  }

  #setUnschedulable(name: string, unschedulable: boolean): Promise<void> {
    const call = { method: 'PATCH', path: `/api/v1/nodes/${name}`, contentType: MERGE } as const;
    return this.#call(unschedulable ? 'cordon' : 'uncordon', { ...call, body: { spec: { unschedulable } } });
  }

  async #removeNode(): Promise<void> {
    const name = this.#pick(this.#options.nodes);
    if (this.#away.length >= this.#options.nodes.length / 10 || this.#away.includes(name)) return;
    if (this.#cordoned.includes(name)) return;
    this.#away.push(name);
    await this.#call('remove node', { method: 'DELETE', path: `/api/v1/nodes/${name}` });
  }

  async #bringNodeBack(): Promise<void> {
    const name = this.#away.shift();
    if (name === undefined) return;
    const amounts = { cpu: '4', memory: '16Gi', pods: '110' };
    const labels = { [HOST]: name, [ZONE]: this.#pick(['zone-a', 'zone-b', 'zone-c']) };
    const status = { capacity: amounts, allocatable: amounts };
    const body = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status };
    await this.#call('node', { method: 'POST', path: '/api/v1/nodes', body });
  }

  async #anyOf(path: string): Promise<string | undefined> {
    const { items } = await this.#users.request<Listed>({ method: 'GET', path });
    return items.length === 0 ? undefined : this.#pick(items).metadata.name;
  }

  /** What is refused, because the object is gone meanwhile or there still, is counted and leads to nothing. */
  async #call(name: string, call: ApiCall): Promise<void> {
    let outcome = name;
    try {
      await this.#users.request(call);
    } catch {
      outcome = `${name}, refused`;
    }
    this.taken.set(outcome, (this.taken.get(outcome) ?? 0) + 1);
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#prng.below(items.length)] as T;
  }

  #pause(millis: number): Promise<void> {
    return new Promise((resolve) => void this.#loop.after(millis, resolve));
  }
}
