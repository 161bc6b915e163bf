import type { KubernetesObject } from '../api/meta.ts';
import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import type { ReplicaSet } from '../api/workloads.ts';
import { podsToDelete } from '../controllers/replicaset/rank-pods.ts';
import { ordinalOf } from '../controllers/statefulset/stateful-pod.ts';
import { GeneratedNames } from '../expansion/generated-name.ts';
import { controllerOf } from '../expansion/present-pods.ts';
import { CodedError } from '../lib/errors.ts';
import type { ClusterManifest } from '../manifests/cluster-manifest.ts';
import type { Expand, Expansion, WorkloadManifest } from '../manifests/workload-manifest.ts';
import { replacementOf } from './replacement.ts';
import type { Trial } from './trial.ts';

/** kubectl's names of the kinds that can be scaled. */
const KINDS: Readonly<Record<string, ScaledKind>> = {
  ...{ deployment: 'Deployment', deployments: 'Deployment', deploy: 'Deployment' },
  ...{ replicaset: 'ReplicaSet', replicasets: 'ReplicaSet', rs: 'ReplicaSet' },
  ...{ statefulset: 'StatefulSet', statefulsets: 'StatefulSet', sts: 'StatefulSet' },
  ...{ replicationcontroller: 'ReplicationController', replicationcontrollers: 'ReplicationController' },
  rc: 'ReplicationController',
};

type ScaledKind = 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'ReplicationController';

/** The API's names of these kinds; null: no controller of simulations runs them. */
const RESOURCES_OF = {
  Deployment: 'deployments',
  ReplicaSet: 'replicasets',
  StatefulSet: 'statefulsets',
  ReplicationController: null,
} as const;

/** A workload, and the pods that it is to have. */
export interface ScaleTarget {
  readonly resource: (typeof RESOURCES_OF)[ScaledKind];
  readonly kind: ScaledKind;
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
}

/** The most pods that workloads may have here in all. */
const REPLICAS_MAX = 1_000_000;

/** A workload that is to have another number of pods. */
export class Scaling {
  readonly #text: string;
  readonly #kind: ScaledKind;
  readonly #name: string;
  readonly #namespace: string;
  readonly #replicas: number;
  readonly #made = new Set<string>();

  /** @throws CodedError `Usage` unless the text is such as `deployment/web=50` */
  constructor(text: string, namespace: string) {
    const [, kind = '', name = '', count = ''] = /^([a-z]+)\/([^/=]+)=(\d+)$/.exec(text) ?? [];
    const known = KINDS[kind];
    if (known === undefined || Number(count) > REPLICAS_MAX) {
      throw new CodedError('Usage', `--scale ${text}: expected KIND/NAME=REPLICAS, such as deployment/web=50`);
    }
    this.#text = text;
    this.#kind = known;
    this.#name = name;
    this.#namespace = namespace;
    this.#replicas = Number(count);
  }

  get target(): ScaleTarget {
    const [kind, namespace, name, replicas] = [this.#kind, this.#namespace, this.#name, this.#replicas];
    return { resource: RESOURCES_OF[kind], kind, namespace, name, replicas };
  }

  /** Whether the pod was made because of this scaling. */
  hasMade(pod: Pod): boolean {
    return this.#made.has(podKey(pod));
  }

  /** What workloads lack already, as `lacking` makes it, and the pods that this one gets in addition, as by `all`. */
  expand(
    workloads: readonly WorkloadManifest[],
    cluster: Required<ClusterManifest>,
    { lacking, all }: { readonly lacking: Expand; readonly all: Expand },
  ): Expansion {
    const before = lacking(workloads, cluster);
    const pods = [...cluster.pods.map((pod) => before.claimed?.get(pod) ?? pod), ...before.pods];
    const others = [...cluster.others, ...before.others];
    const made = before.others.flatMap((other): WorkloadManifest[] => (other.kind === 'ReplicaSet' ? [other] : []));
    const own = pods.filter((pod) => this.#owns(pod, workloads));
    const missing = this.#replicas - own.length;
    const template = this.#templateObject([...workloads, ...made], own.length);
    if (own.length === 0 && template === undefined) {
      const what = `there is no such object, and no pod of it, in namespace ${this.#namespace} of the input`;
      throw new CodedError('NotFound', `--scale ${this.#text}: ${what}`);
    }
    if (missing <= 0) return before;
    const claimTemplates = workloads.filter(({ kind }) => kind === 'ResourceClaimTemplate');
    const more =
      template === undefined
        ? { pods: copies(own, missing, pods), others: [] }
        : all([template, ...claimTemplates], { ...cluster, pods, others });
    for (const pod of more.pods) this.#made.add(podKey(pod));
    return { ...before, pods: [...before.pods, ...more.pods], others: [...before.others, ...more.others] };
  }

  /** Removes the pods that are too many, those first that the controller would delete first. */
  shrink(trial: Trial, workloads: readonly WorkloadManifest[]): void {
    const placed = trial.scheduler.pods().filter(({ pod, node }) => node !== null && this.#owns(pod, workloads));
    const waiting = trial.waiting.filter((pod) => this.#owns(pod, workloads));
    const nodeOf = new Map(placed.map(({ pod, node }) => [podKey(pod), node]));
    const own = [
      ...waiting,
      ...placed.map(({ pod, node }): Pod => {
        return { ...pod, spec: { ...(pod.spec ?? { containers: [] }), nodeName: node ?? '' } };
      }),
    ];
    const count = own.length - this.#replicas;
    if (count <= 0) return;
    const gone =
      this.#kind === 'StatefulSet'
        ? own.toSorted((a, b) => ordinalOf(b) - ordinalOf(a)).slice(0, count)
        : podsToDelete(own, count, this.#kind === 'Deployment' ? own : [], undefined);
    for (const pod of gone) trial.remove(pod, nodeOf.get(podKey(pod)) ?? null, `${this.#text}: scaled down`);
  }

  #owns(pod: Pod, workloads: readonly WorkloadManifest[]): boolean {
    if ((pod.metadata?.namespace ?? 'default') !== this.#namespace) return false;
    if (pod.metadata?.deletionTimestamp !== undefined) return false;
    const owner = controllerOf(pod);
    if (owner === undefined) return false;
    if (this.#kind !== 'Deployment') return owner.kind === this.#kind && owner.name === this.#name;
    if (owner.kind !== 'ReplicaSet') return false;
    const set = this.#sets(workloads).find(({ object }) => object.metadata?.name === owner.name);
    if (set !== undefined) return true;
    // Without its ReplicaSets a Deployment's pods are recognised by the hash in the name of their controller.
    return owner.name === `${this.#name}-${pod.metadata?.labels?.['pod-template-hash']}`;
  }

  /** The ReplicaSets of the Deployment. */
  #sets(workloads: readonly WorkloadManifest[]): readonly WorkloadManifest[] {
    return workloads.filter(({ kind, object }) => {
      const owner = controllerOf(object);
      return kind === 'ReplicaSet' && owner?.kind === 'Deployment' && owner.name === this.#name && this.#isNear(object);
    });
  }

  /** The object of which pods are made, with as many replicas as it is to have. */
  #templateObject(workloads: readonly WorkloadManifest[], present: number): WorkloadManifest | undefined {
    const self = workloads.find(({ kind, object }) => {
      return kind === this.#kind && object.metadata?.name === this.#name && this.#isNear(object);
    });
    const sets = this.#kind === 'Deployment' ? this.#sets(workloads) : [];
    const found = sets.toSorted((a, b) => replicasOf(b.object) - replicasOf(a.object))[0] ?? self;
    // Pods of sets that are not in the input are copied: nobody can say to which template they belong.
    if (this.#kind === 'Deployment' && sets.length === 0 && present > 0) return undefined;
    const { spec } = (found?.object ?? {}) as ReplicaSet;
    if (found === undefined || spec?.template?.spec === undefined) return undefined;
    // Other ReplicaSets of the Deployment keep what they have.
    const replicas = sets.length === 0 ? this.#replicas : this.#replicas - present + replicasOf(found.object);
    return { ...found, object: { ...found.object, spec: { ...spec, replicas } } as KubernetesObject };
  }

  #isNear({ metadata }: KubernetesObject): boolean {
    return (metadata?.namespace || 'default') === this.#namespace;
  }
}

function replicasOf(object: KubernetesObject): number {
  return (object as ReplicaSet).spec?.replicas ?? 1;
}

/** Copies of the last of the pods: what is known of a workload that is not in the input itself. */
function copies(own: readonly Pod[], count: number, all: readonly Pod[]): readonly Pod[] {
  const model = replacementOf(own.at(-1) as Pod);
  const { name: _, uid: _uid, ...metadata } = model.metadata ?? {};
  const names = new GeneratedNames(all.map(podKey));
  const isStateful = controllerOf(model)?.kind === 'StatefulSet';
  const owner = controllerOf(model)?.name ?? '';
  const first = Math.max(0, ...own.map((pod) => ordinalOf(pod) + 1));
  return Array.from({ length: count }, (_each, i) => {
    const prefix = metadata.generateName ?? `${owner}-`;
    const name = isStateful ? `${owner}-${first + i}` : names.next(metadata.namespace ?? 'default', prefix);
    return { ...model, metadata: { ...metadata, name } };
  });
}
