import type { ObjectMeta } from '../api/meta.ts';
import type { Pod, PodStatus } from '../api/pod.ts';
import { withPodCondition } from '../api/pod-conditions.ts';
import { timeAtMillis } from '../api/time.ts';
import { isObject, type Problem } from '../api/validation/check.ts';
import { annotations, labels } from '../api/validation/metadata.ts';
import { object, string } from '../api/validation/shapes.ts';
import type { Clock } from '../lib/clock.ts';
import { ApiError, refuseInvalid, refuseOther } from './objects/api-error.ts';
import { frozenCopy } from './objects/frozen-copy.ts';
import { frozenStatus } from './objects/frozen-status.ts';
import { metadataAt, updatedMetadata } from './objects/metadata.ts';
import type { Binding } from './objects/store-client.ts';

type Conditions = PodStatus['conditions'];

/** Puts pods on nodes. Upstream: BindingREST in pkg/registry/core/pod/storage/storage.go. */
export class Binder {
  readonly #clock: Clock;
  /**
   * The status that the last pod got, and in which second. Many pods are bound within one second from one status, or
   * from statuses that differ in the nominated node, which a bound pod has not: they share it.
   */
  #last: { readonly from: PodStatus | undefined; readonly second: number; readonly to: PodStatus } | null = null;

  /** The conditions that the last pod got, which pods share whose statuses differ in other parts. */
  #lastConditions: { readonly from: Conditions; readonly second: number; readonly to: Conditions } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the bound pod, frozen, with this resourceVersion.
   *
   * @throws ApiError Invalid, Conflict
   */
  bound(pod: Pod, binding: Binding, resourceVersion: string): Pod {
    const { metadata = {}, spec = {} } = pod;
    const problems = bindingProblems(binding);
    refuseInvalid('pods', metadata, problems);
    refuse(pod, binding);
    return Object.freeze({
      apiVersion: pod.apiVersion,
      kind: pod.kind,
      metadata: metadataAt(boundMetadata(metadata, binding), resourceVersion),
      spec: Object.freeze({ ...spec, nodeName: binding.target.name }),
      status: this.#status(pod.status),
    });
  }

  #status(from: PodStatus | undefined): PodStatus {
    const nowMillis = this.#clock.nowMillis();
    const second = Math.floor(nowMillis / 1000);
    const last = this.#last;
    if (last?.second === second && (last.from === from || isEqualBesideNomination(last.from, from))) return last.to;
    const conditions = this.#conditions(from?.conditions, second, nowMillis);
    const to = frozenStatus(from ?? {}, { nominatedNodeName: undefined, conditions });
    this.#last = { from, second, to };
    return to;
  }

  #conditions(from: Conditions, second: number, nowMillis: number): Conditions {
    const last = this.#lastConditions;
    if (last?.second === second && last.from === from) return last.to;
    const to = from === undefined ? firstConditions(nowMillis) : scheduledConditions(from, nowMillis);
    this.#lastConditions = { from, second, to };
    return to;
  }
}

function scheduledConditions(from: Conditions, nowMillis: number): Conditions {
  const { conditions } = withPodCondition({ conditions: from }, { type: 'PodScheduled', status: 'True' }, nowMillis);
  return frozenCopy(conditions, from);
}

/** The same for a pod that has none yet, as most pods that are bound. */
function firstConditions(nowMillis: number): Conditions {
  const lastTransitionTime = timeAtMillis(nowMillis);
  return Object.freeze([Object.freeze({ type: 'PodScheduled', status: 'True', lastTransitionTime } as const)]);
}

/** Whether both have the very same members, not counting the nominated node. */
function isEqualBesideNomination(a: PodStatus | undefined, b: PodStatus | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  let missing = 0;
  for (const key in a) {
    if (key === 'nominatedNodeName') continue;
    if (a[key as keyof PodStatus] !== b[key as keyof PodStatus]) return false;
    missing++;
  }
  for (const key in b) if (key !== 'nominatedNodeName') missing--;
  return missing === 0;
}

function boundMetadata(metadata: ObjectMeta, { metadata: additions }: Binding): ObjectMeta {
  if (!additions?.labels && !additions?.annotations) return metadata;
  const merged = {
    labels: { ...metadata.labels, ...additions.labels },
    annotations: { ...metadata.annotations, ...additions.annotations },
  };
  return updatedMetadata({ ...metadata, ...merged }, metadata);
}

function refuse({ metadata = {}, spec }: Pod, binding: Binding): void {
  const name = metadata.name ?? '';
  const { uid, resourceVersion } = binding.metadata ?? {};
  if (uid) refuseOther('pods', { uid }, metadata);
  if (resourceVersion) refuseOther('pods', { resourceVersion }, metadata);
  if (metadata.deletionTimestamp !== undefined) {
    throw bindingConflict(name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (spec?.nodeName) throw bindingConflict(name, `pod ${name} is already assigned to node "${spec.nodeName}"`);
  if (spec?.schedulingGates?.length) throw bindingConflict(name, `pod ${name} has non-empty .spec.schedulingGates`);
}

const additions = object({ uid: string, resourceVersion: string, labels, annotations });
const NO_PROBLEMS: readonly Problem[] = [];

function bindingProblems(binding: Binding): readonly Problem[] {
  if (isPlain(binding)) return NO_PROBLEMS;
  const target: unknown = isObject(binding) ? binding.target : undefined;
  if (!isObject(target)) return [{ field: 'target', reason: 'Required value' }];
  const { kind, name } = target;
  const problems: Problem[] = [];
  additions(binding.metadata, 'metadata', problems);
  if (kind !== undefined && kind !== '' && kind !== 'Node') {
    problems.push({
      field: 'target.kind',
      reason: `Unsupported value: ${JSON.stringify(kind)}: supported values: "Node"`,
    });
  }
  if (typeof name !== 'string' || name === '') problems.push({ field: 'target.name', reason: 'Required value' });
  return problems;
}

/**
 * Whether the binding only names a node and at most the pod's uid or version. Schedulers bind like this, and such a
 * binding needs no further validation.
 */
function isPlain(binding: Binding): boolean {
  const { metadata, target } = (binding as Partial<Binding> | null) ?? {};
  if (metadata && (metadata.labels !== undefined || metadata.annotations !== undefined)) return false;
  if (metadata !== undefined && !isObject(metadata)) return false;
  if (metadata?.uid !== undefined && typeof metadata.uid !== 'string') return false;
  if (metadata?.resourceVersion !== undefined && typeof metadata.resourceVersion !== 'string') return false;
  return target?.kind === 'Node' && typeof target.name === 'string' && target.name !== '';
}

function bindingConflict(name: string, why: string): ApiError {
  return new ApiError('Conflict', `Operation cannot be fulfilled on pods/binding "${name}": ${why}`);
}
