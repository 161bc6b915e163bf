import type { CronJob } from '../api/cron-job.ts';
import type { DaemonSet } from '../api/daemon-set.ts';
import { defaultPod } from '../api/defaults.ts';
import { type Deployment, POD_TEMPLATE_HASH_KEY } from '../api/deployment.ts';
import { COMPLETION_INDEX_KEY, isJobFinished, type Job } from '../api/job.ts';
import { defaultJob, prepareNewJob } from '../api/job-defaults.ts';
import type { KubernetesObject } from '../api/meta.ts';
import type { Pod } from '../api/pod.ts';
import { isPodFinished } from '../api/pod-conditions.ts';
import type { PodTemplate } from '../api/pod-template.ts';
import type { ResourceClaimTemplate } from '../api/resource-claims.ts';
import type { StatefulSet } from '../api/stateful-set.ts';
import {
  defaultCronJob,
  defaultDaemonSet,
  defaultDeployment,
  defaultReplicaSet,
  defaultStatefulSet,
} from '../api/workload-defaults.ts';
import type { ReplicaSet } from '../api/workloads.ts';
import type { FeatureGates } from '../config/feature-gates.ts';
import { newJob } from '../controllers/cronjob/new-job.ts';
import { daemonPod, nodeFit, targetNodeOf } from '../controllers/daemonset/daemon-pod.ts';
import { newSetOf } from '../controllers/deployment/new-set.ts';
import { planOf } from '../controllers/job/job-plan.ts';
import { NewPods } from '../controllers/job/new-pods.ts';
import { podOfTemplate } from '../controllers/owned-pods/pod-writes.ts';
import { templateHash } from '../controllers/revisions/template-hash.ts';
import { claimsOf, ordinalOf, startOrdinalOf, statefulPod } from '../controllers/statefulset/stateful-pod.ts';
import { derivedUuid } from '../lib/derived-uuid.ts';
import { CodedError } from '../lib/errors.ts';
import { plural } from '../lib/shown-count.ts';
import type { ClusterManifest, OtherObject } from '../manifests/cluster-manifest.ts';
import type { Expand, Expansion, PodTemplateObject, WorkloadManifest } from '../manifests/workload-manifest.ts';
import { claimsForPods } from './claims-for-pods.ts';
import { GeneratedNames } from './generated-name.ts';
import { controllerOf, PresentPods } from './present-pods.ts';

/** More pods than any cluster has, and about as many as fit into memory. */
const PODS_MAX = 1_000_000;

/** Makes the pods that the workloads of the input lack, as their controllers would. */
export const expandWorkloads: Expand = (workloads, cluster) => new Expander(workloads, cluster, false).run();

/** As `expandWorkloads`, with these feature gates. */
export function expansionUnder({ DRAWorkloadResourceClaims = false }: Partial<FeatureGates> = {}): Expand {
  return (workloads, cluster) => new Expander(workloads, cluster, DRAWorkloadResourceClaims).run();
}

class Expander {
  readonly #workloads: readonly WorkloadManifest[];
  readonly #cluster: Required<ClusterManifest>;
  readonly #present: PresentPods;
  readonly #names: GeneratedNames;
  readonly #claims: Set<string>;
  /** The names of pods that are not over. */
  readonly #held: ReadonlySet<string>;
  readonly #pods: Pod[] = [];
  readonly #others: OtherObject[] = [];
  readonly #claimTemplates: ResourceClaimTemplate[] = [];
  readonly #groupsOwnClaims: boolean;
  #suspended = 0;

  constructor(workloads: readonly WorkloadManifest[], cluster: Required<ClusterManifest>, groupsOwnClaims: boolean) {
    this.#groupsOwnClaims = groupsOwnClaims;
    this.#workloads = workloads;
    this.#cluster = cluster;
    this.#present = new PresentPods(cluster.pods);
    this.#held = new Set(cluster.pods.filter((pod) => !isPodFinished(pod)).map(keyOf));
    this.#names = new GeneratedNames(cluster.pods.map(keyOf));
    const claims = cluster.others.filter(({ kind }) => kind === 'PersistentVolumeClaim');
    this.#claims = new Set(claims.map(({ object }) => keyOf(object)));
  }

  run(): Expansion {
    for (const { kind, object } of this.#workloads) {
      const placed = withIdentity(kind, object);
      if (kind === 'Deployment') this.#deployment(defaultDeployment(placed));
      else if (kind === 'ReplicaSet') this.#replicas('apps/v1', kind, defaultReplicaSet(placed));
      else if (kind === 'ReplicationController') this.#replicas('v1', kind, withLabelSelector(placed));
      else if (kind === 'StatefulSet') this.#statefulSet(defaultStatefulSet(placed));
      else if (kind === 'DaemonSet') this.#daemonSet(defaultDaemonSet(placed));
      else if (kind === 'Job') this.#job(placed);
      else if (kind === 'CronJob') this.#cronJob(defaultCronJob(placed as CronJob));
      else if (kind === 'ResourceClaimTemplate') this.#claimTemplates.push(placed as ResourceClaimTemplate);
      else this.#template(placed);
    }
    const { claimed, notes: claimNotes } = this.#claimsForPods();
    const [count, suspended] = [this.#pods.length, this.#suspended];
    const notes = [
      ...(count > 0 ? [`made ${plural(count, 'pod')} that workloads lack (--no-expand: none)`] : []),
      ...(suspended > 0 ? [`${plural(suspended, 'suspended workload')} got no pods`] : []),
      ...claimNotes,
    ];
    const pods = this.#pods.map((pod) => claimed.get(pod) ?? pod);
    return { pods, others: this.#others, claimed, notes };
  }

  /** Makes claims for all pods, those of the input as well. */
  #claimsForPods(): { readonly claimed: ReadonlyMap<Pod, Pod>; readonly notes: readonly string[] } {
    const { others } = this.#cluster;
    const pods = [...this.#cluster.pods, ...this.#pods];
    const { claims, claimed, withoutTemplate } = claimsForPods(pods, {
      templates: this.#claimTemplates,
      present: others.flatMap((each) => (each.kind === 'ResourceClaim' ? [each.object] : [])),
      ...(this.#groupsOwnClaims && {
        groups: others.flatMap((each) => (each.kind === 'PodGroup' ? [each.object] : [])),
      }),
    });
    for (const object of claims) this.#others.push({ kind: 'ResourceClaim', object });
    const [first] = withoutTemplate;
    if (first === undefined) return { claimed, notes: [] };
    const lacking = withoutTemplate.length === 1 ? '1 pod has' : `${withoutTemplate.length} pods have`;
    const note = `${lacking} no claim, because its template is not in the input (Pod ${keyOf(first)})`;
    return { claimed, notes: [note] };
  }

  /** A Deployment whose ReplicaSets are in the input gets its pods from them. */
  #deployment(deployment: Deployment): void {
    const { uid, name } = deployment.metadata ?? {};
    const isOwn = (other: OtherObject): boolean => {
      const owner = other.kind === 'ReplicaSet' ? controllerOf(other.object) : undefined;
      const isNear = other.object.metadata?.namespace === deployment.metadata?.namespace;
      return owner?.kind === 'Deployment' && owner.name === name && isNear && (!owner.uid || owner.uid === uid);
    };
    if (this.#cluster.others.some(isOwn)) return;
    const set = withIdentity('ReplicaSet', newSetOf(deployment, [], 1));
    // Without its ReplicaSets a Deployment's pods can be told by the hash in the name of their controller.
    const replicas = (deployment.spec?.replicas ?? 1) - this.#podsOfLostSets(deployment);
    this.#refuseTooMany('Deployment', deployment, replicas);
    this.#others.push({ kind: 'ReplicaSet', object: set });
    this.#replicas('apps/v1', 'ReplicaSet', { ...set, spec: { ...set.spec, replicas } });
  }

  #podsOfLostSets({ metadata }: Deployment): number {
    return this.#cluster.pods.filter((pod) => {
      const hash = pod.metadata?.labels?.[POD_TEMPLATE_HASH_KEY];
      const owner = controllerOf(pod);
      const isOwned = owner?.kind === 'ReplicaSet' && owner.name === `${metadata?.name}-${hash}`;
      return isOwned && pod.metadata?.namespace === metadata?.namespace && isAlive(pod);
    }).length;
  }

  /** A set without a template consists only of a selector, and gets no pods. */
  #replicas(apiVersion: string, kind: string, set: ReplicaSet): void {
    const { template, selector, replicas = 1 } = set.spec ?? {};
    if (template?.spec === undefined) return;
    const missing = replicas - this.#present.of(kind, set, selector).length;
    const pod = podOfTemplate({ apiVersion, kind, object: set }, template);
    this.#refuseTooMany(kind, set, missing);
    for (let i = 0; i < missing; i++) this.#add(pod);
  }

  #statefulSet(set: StatefulSet): void {
    const { template, selector, replicas = 1 } = set.spec ?? {};
    if (template?.spec === undefined) return;
    const present = new Set(this.#present.of('StatefulSet', set, selector).map(ordinalOf));
    const revision = set.status?.updateRevision ?? `${set.metadata?.name}-${templateHash(template, 0)}`;
    const start = startOrdinalOf(set);
    this.#refuseTooMany('StatefulSet', set, replicas - present.size);
    for (let ordinal = start; ordinal < start + replicas; ordinal++) {
      // The name of a pod that is being deleted is not free yet.
      if (present.has(ordinal) || this.#held.has(`${set.metadata?.namespace}/${set.metadata?.name}-${ordinal}`))
        continue;
      for (const claim of claimsOf(set, ordinal)) {
        if (this.#claims.has(keyOf(claim))) continue;
        this.#claims.add(keyOf(claim));
        this.#others.push({ kind: 'PersistentVolumeClaim', object: claim });
      }
      this.#add(statefulPod(set, template, revision, ordinal));
    }
  }

  #daemonSet(set: DaemonSet): void {
    const { template, selector } = set.spec ?? {};
    const served = new Set(this.#present.of('DaemonSet', set, selector).map(targetNodeOf));
    const hash = templateHash(template, 0);
    for (const node of this.#cluster.nodes) {
      const { name = '' } = node.metadata ?? {};
      if (!served.has(name) && nodeFit(set, node).shouldRun) this.#add(daemonPod(set, hash, name));
    }
  }

  #job(job: Job): void {
    if (isJobFinished(job)) return;
    // A Job that was exported has the labels that its cluster generated; another gets them as on creation.
    const isExported = job.spec?.selector !== undefined && job.spec.manualSelector !== true;
    const prepared = isExported ? defaultJob(job) : prepareNewJob(defaultJob(job));
    const plan = planOf(prepared);
    if (plan.isSuspended) {
      this.#suspended++;
      return;
    }
    const present = this.#present.of('Job', prepared, prepared.spec?.selector);
    const pods = new NewPods(prepared, plan);
    const { succeeded = 0, completedIndexes = '' } = job.status ?? {};
    const open = (plan.completions ?? Number.POSITIVE_INFINITY) - succeeded;
    let missing = Math.min(plan.parallelism, open) - present.length;
    this.#refuseTooMany('Job', job, missing);
    if (plan.indexes === undefined) {
      for (; missing > 0; missing--) this.#add(pods.withoutIndex());
      return;
    }
    const taken = new Set(present.map((pod) => pod.metadata?.annotations?.[COMPLETION_INDEX_KEY]));
    const isDone = indexTest(completedIndexes);
    for (let index = 0; index < plan.indexes && missing > 0; index++) {
      if (taken.has(String(index)) || isDone(index)) continue;
      this.#add(pods.withIndex(index, undefined));
      missing--;
    }
  }

  /** One run of a CronJob, the one of the beginning of all times, since the input has no clock. */
  #cronJob(cronJob: CronJob): void {
    if (cronJob.spec?.suspend === true) {
      this.#suspended++;
      return;
    }
    this.#job(withIdentity('Job', newJob(cronJob, 0)));
  }

  #template(object: PodTemplateObject): void {
    const { metadata = {}, spec } = object.template ?? {};
    const { labels, annotations } = metadata;
    const { namespace, name } = object.metadata ?? {};
    this.#add({ metadata: { generateName: `${name}-`, namespace, labels, annotations }, spec });
  }

  #refuseTooMany(kind: string, workload: KubernetesObject, missing: number): void {
    if (this.#pods.length + missing <= PODS_MAX) return;
    const limit = `workloads lack more than ${plural(PODS_MAX, 'pod')} in all (--no-expand: make none)`;
    throw new CodedError('TooManyPods', `${kind} ${keyOf(workload)} lacks ${plural(missing, 'pod')}: ${limit}`);
  }

  #add({ metadata, spec }: Pod): void {
    const { generateName, namespace = '', name, ...rest } = metadata ?? {};
    const named = name ?? this.#names.next(namespace, generateName ?? '');
    this.#pods.push(defaultPod({ metadata: { ...rest, name: named, namespace }, spec }));
  }
}

function isAlive(pod: Pod): boolean {
  return !isPodFinished(pod) && pod.metadata?.deletionTimestamp === undefined;
}

function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata?.namespace}/${metadata?.name}`;
}

/** The object with a namespace, and with a uid by which its pods can name it; the pods of a Job have it as a label. */
function withIdentity<T extends KubernetesObject>(kind: string, object: T): T {
  const { namespace = '', name = '', uid } = object.metadata ?? {};
  const place = namespace || 'default';
  const metadata = { ...object.metadata, namespace: place, uid: uid || derivedUuid(`${kind}/${place}/${name}`) };
  return { ...object, metadata };
}

/** A ReplicationController as a ReplicaSet: its selector is a map of labels, by default those of its template. */
function withLabelSelector(object: KubernetesObject): ReplicaSet {
  const { spec = {} } = object as {
    readonly spec?: { readonly selector?: Readonly<Record<string, string>>; readonly template?: PodTemplate };
  };
  const matchLabels = spec.selector ?? spec.template?.metadata?.labels ?? {};
  return { ...object, spec: { ...spec, selector: { matchLabels } } };
}

/** Whether an index is in a list such as `1,3-5`. */
function indexTest(text: string): (index: number) => boolean {
  const ranges = text.split(',').flatMap((part) => {
    const [first = '', last = first] = part.split('-');
    return first === '' ? [] : [[Number(first), Number(last)] as const];
  });
  return (index) => ranges.some(([first, last]) => first <= index && index <= last);
}
