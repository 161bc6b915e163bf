import { type Deployment, isRolling, maxSurgeOf, POD_TEMPLATE_HASH_KEY, REVISION_KEY } from '../../api/deployment.ts';
import type { ObjectMeta } from '../../api/meta.ts';
import type { PodTemplate } from '../../api/pod-template.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import { byAge } from '../owned-pods/by-age.ts';

/** Annotations of a ReplicaSet: the size of its Deployment, without and with surge, when it was last scaled. */
const DESIRED_REPLICAS_KEY = 'deployment.kubernetes.io/desired-replicas';
const MAX_REPLICAS_KEY = 'deployment.kubernetes.io/max-replicas';

/** An annotation of a ReplicaSet: the revisions that it had before the present one. */
const HISTORY_KEY = 'deployment.kubernetes.io/revision-history';
const HISTORY_MAX = 2000;

/** Annotations of a Deployment that its ReplicaSets do not get. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  ...['kubectl.kubernetes.io/last-applied-configuration', REVISION_KEY, 'deprecated.deployment.rollback.to'],
  ...[HISTORY_KEY, DESIRED_REPLICAS_KEY, MAX_REPLICAS_KEY],
]);

type Annotations = Readonly<Record<string, string>>;

export function replicasOf({ spec }: ReplicaSet): number {
  return spec?.replicas ?? 1;
}

export function sum(sets: readonly ReplicaSet[], countOf: (set: ReplicaSet) => number | undefined): number {
  return sets.reduce((total, set) => total + (countOf(set) ?? 0), 0);
}

/**
 * The oldest ReplicaSet of the Deployment's present template, not counting the label of its hash. Upstream:
 * FindNewReplicaSet in pkg/controller/deployment/util/deployment_util.go.
 */
export function newestSetOf({ spec }: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  return sets.toSorted(byAge).find((set) => isTemplateOf(set, spec?.template));
}

function isTemplateOf(set: ReplicaSet, template: PodTemplate | undefined): boolean {
  return semanticallyEqual(withoutHash(set.spec?.template), withoutHash(template));
}

function withoutHash(template: PodTemplate | undefined): PodTemplate | undefined {
  const { [POD_TEMPLATE_HASH_KEY]: _, ...labels } = template?.metadata?.labels ?? {};
  return { ...template, metadata: { ...template?.metadata, labels } };
}

export function revisionOf({ metadata }: { readonly metadata?: ObjectMeta | undefined }): number {
  const text = metadata?.annotations?.[REVISION_KEY];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/**
 * How many pods the new ReplicaSet is to have: as many as there is room for. Upstream: NewRSNewReplicas.
 */
export function newReplicasOf(deployment: Deployment, all: readonly ReplicaSet[], newSet: ReplicaSet): number {
  const { replicas = 1 } = deployment.spec ?? {};
  if (!isRolling(deployment)) return replicas;
  const room = replicas + maxSurgeOf(deployment) - sum(all, replicasOf);
  const present = replicasOf(newSet);
  return room <= 0 ? present : present + Math.min(room, replicas - present);
}

/**
 * The annotations of a ReplicaSet of this revision, with those of the Deployment. Upstream:
 * SetNewReplicaSetAnnotations.
 */
export function setAnnotations(deployment: Deployment, set: ReplicaSet, revision: number): Annotations {
  const { annotations = {} } = deployment.metadata ?? {};
  const copied = Object.entries(annotations).filter(([key]) => !NOT_COPIED.has(key));
  const own = { ...set.metadata?.annotations, ...Object.fromEntries(copied) };
  const { [REVISION_KEY]: before, [HISTORY_KEY]: history } = own;
  if (revisionOf(set) >= revision) return own;
  const former = before === undefined ? undefined : { [HISTORY_KEY]: formerRevisions(history, before) };
  return { ...own, ...former, [REVISION_KEY]: String(revision) };
}

/** The former revisions of a ReplicaSet that has become the new one again; the oldest are dropped from a long text. */
function formerRevisions(history: string | undefined, before: string): string {
  const former = history ? [...history.split(','), before] : [before];
  while (former.join().length > HISTORY_MAX) former.shift();
  return former.join();
}

/** The annotations of a ReplicaSet that is scaled while the Deployment has this size. */
export function sizeAnnotations(deployment: Deployment): Annotations {
  const { replicas = 1 } = deployment.spec ?? {};
  return { [DESIRED_REPLICAS_KEY]: String(replicas), [MAX_REPLICAS_KEY]: String(replicas + maxSurgeOf(deployment)) };
}

export function hasSizeOf(deployment: Deployment, { metadata }: ReplicaSet): boolean {
  return Object.entries(sizeAnnotations(deployment)).every(([key, value]) => metadata?.annotations?.[key] === value);
}

/** The wanted size of the Deployment when the ReplicaSet was last scaled; undefined if it does not say. */
export function desiredReplicasOf(set: ReplicaSet): number | undefined {
  return annotatedNumber(set, DESIRED_REPLICAS_KEY);
}

/** The same with the surge. */
export function maxReplicasOf(set: ReplicaSet): number | undefined {
  return annotatedNumber(set, MAX_REPLICAS_KEY);
}

function annotatedNumber({ metadata }: ReplicaSet, key: string): number | undefined {
  const text = metadata?.annotations?.[key];
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
