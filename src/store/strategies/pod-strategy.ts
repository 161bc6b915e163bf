import type { ObjectMeta } from '../../api/meta.ts';
import type { Pod, PodCondition, PodSpec, PodStatus } from '../../api/pod.ts';
import { isFinalPhase } from '../../api/pod-conditions.ts';
import { defaultPodTemplate } from '../../api/pod-template.ts';
import { isObject, type Problem } from '../../api/validation/check.ts';
import { containerRestartProblems } from '../../api/validation/container-restarts.ts';
import { checkChangedMetadata } from '../../api/validation/metadata.ts';
import { checkChangedStatus, podOwnMembers, podSpec, podStatus, podType } from '../../api/validation/pod.ts';
import { validatePodUpdate } from '../../api/validation/pod-update.ts';
import { required } from '../../api/validation/shapes.ts';
import { everyOf } from '../../lib/frozen-lists.ts';
import { mapKeeping, withMembers } from '../../lib/map-keeping.ts';
import { refuseInvalid } from '../objects/api-error.ts';
import { frozenCopy } from '../objects/frozen-copy.ts';
import type { Admission } from './admission.ts';
import { type OwnMembers, PodSpecs, type PreparedPodSpec, withOwnMembers } from './pod-specs.ts';
import type { Strategy } from './strategy.ts';

const requiredSpec = required(podSpec);

/** Upstream: pkg/registry/core/pod/strategy.go. */
export class PodStrategy implements Strategy<Pod> {
  readonly hasStatus = true;
  readonly hasGeneration = true;
  readonly requiresVersion = false;
  readonly propagationPolicy = 'Background';
  readonly #admission: Admission;
  readonly #specs = new PodSpecs();
  /**
   * The metadata of the last new pod. The next one often has the same labels and owners, which need not be checked
   * again.
   */
  #lastMetadata: ObjectMeta = {};
  #prioritiesEpoch = -1;
  /** The last frozen status: many pods have one status, and get the same one. */
  #lastFrozen:
    | { readonly given: PodStatus; readonly before: PodStatus | undefined; readonly kept: PodStatus }
    | undefined;

  constructor(admission: Admission) {
    this.#admission = admission;
  }

  create({ apiVersion, kind, spec: given }: Pod, metadata: ObjectMeta): Pod {
    this.#forgetOldPriorities();
    const problems = headProblems(apiVersion, kind, metadata, this.#lastMetadata);
    // Every member is read only once, so that the stored value is the checked one even if a getter changes it.
    const recalled = this.#specs.recall(given);
    const checked = recalled === undefined ? this.#specs.copy(given) : recalled.own;
    const check = recalled === undefined ? requiredSpec : podOwnMembers;
    check(checked, 'spec', problems);
    refuseInvalid('pods', metadata, problems);
    const prepared = recalled?.prepared ?? this.#prepare(checked as PodSpec, metadata);
    this.#lastMetadata = metadata;
    const { hostname, nodeName, volumes } = checked as OwnMembers;
    const own = { hostname, nodeName, volumes: recalled === undefined ? undefined : volumes };
    return podOf(metadata, withOwnMembers(prepared.spec, own), prepared.status);
  }

  update({ apiVersion, kind, spec: raw }: Pod, metadata: ObjectMeta, stored: Pod): Pod {
    const given = frozenCopy(raw, stored.spec);
    const problems = headProblems(apiVersion, kind, metadata, stored.metadata ?? {});
    if (given !== stored.spec) requiredSpec(given, 'spec', problems);
    refuseInvalid('pods', metadata, problems);
    if (given === stored.spec) {
      return metadata === stored.metadata ? stored : podOf(metadata, stored.spec, stored.status);
    }
    const defaulted = defaultPodTemplate({ spec: given as PodSpec }).spec ?? {};
    // An update is admitted like a create: leaving these tolerations out does not remove them.
    const spec = frozenCopy(this.#admission.tolerations(defaulted), stored.spec);
    const next = podOf(metadata, spec, stored.status);
    if (spec !== stored.spec) refuseInvalid('pods', metadata, validatePodUpdate(next, stored));
    return next;
  }

  updateStatus(pod: Pod, stored: Pod): Pod {
    const given = frozenCopy(pod.status, stored.status) ?? {};
    if (given === stored.status) return stored;
    const status = statusOf(given, stored);
    return status === stored.status ? stored : podOf(stored.metadata, stored.spec, status);
  }

  /**
   * The status that the pod gets, frozen deeply; its own if nothing changes. `status` is frozen deeply, and has no
   * absent members. @throws ApiError Invalid
   */
  frozenStatus(stored: Pod, status: PodStatus): PodStatus | undefined {
    const last = this.#lastFrozen;
    if (last?.given === status && last.before === stored.status) return last.kept;
    const kept = statusOf(status, stored);
    // Whether containers may run again depends on the spec, too.
    const isOfAnySpec = isSameRun(status, stored.status ?? {});
    this.#lastFrozen = isOfAnySpec ? { given: status, before: stored.status, kept } : undefined;
    return kept;
  }

  /** A pod that is on no node, or has ended, needs no time to end. */
  gracePeriodSeconds({ spec, status }: Pod, wanted: number | undefined): number {
    if (!spec?.nodeName || isFinalPhase(status?.phase)) return 0;
    const seconds = wanted ?? spec.terminationGracePeriodSeconds ?? 0;
    return seconds < 0 ? 1 : seconds;
  }

  #prepare(copied: PodSpec, metadata: ObjectMeta): PreparedPodSpec {
    const admit = (spec: PodSpec): PodSpec =>
      this.#admission.tolerations(this.#admission.priority({ metadata, spec }).spec ?? spec);
    return this.#specs.prepare(copied, metadata.labels, admit);
  }

  #forgetOldPriorities(): void {
    const { prioritiesEpoch } = this.#admission;
    if (prioritiesEpoch !== this.#prioritiesEpoch) this.#specs.forget();
    this.#prioritiesEpoch = prioritiesEpoch;
  }
}

/** The checked status with what no writer may remove. @throws ApiError Invalid */
function statusOf(given: PodStatus, stored: Pod): PodStatus {
  const problems: Problem[] = [];
  if (isObject(given)) checkChangedStatus(given, stored.status ?? {}, problems);
  else podStatus(given, 'status', problems);
  refuseInvalid('pods', stored.metadata, problems);
  refuseInvalid('pods', stored.metadata, containerRestartProblems(stored.spec ?? {}, given, stored.status ?? {}));
  const kept = keepingObserved(given, stored.status ?? {});
  return kept === given ? given : frozenCopy(kept, stored.status);
}

function isSameRun(status: PodStatus, before: PodStatus): boolean {
  if (status.containerStatuses !== before.containerStatuses) return false;
  return status.initContainerStatuses === before.initContainerStatuses;
}

/** The pod of these parts, which are frozen. */
export function podOf(metadata: Pod['metadata'], spec: Pod['spec'], status: Pod['status']): Pod {
  return Object.freeze({ apiVersion: 'v1', kind: 'Pod', metadata, spec, status });
}

/** The status with the fields that no writer may remove; the given status itself when none is missing. */
function keepingObserved(status: PodStatus, stored: PodStatus): PodStatus {
  const qosClass = status.qosClass || stored.qosClass;
  const observedGeneration = status.observedGeneration || stored.observedGeneration;
  const conditions =
    status.conditions !== undefined && everyOf(status.conditions, hasObserved)
      ? status.conditions
      : mapKeeping(status.conditions, (condition) => {
          if (hasObserved(condition)) return condition;
          const before = stored.conditions?.find(({ type }) => type === condition.type)?.observedGeneration;
          return before === undefined ? condition : { ...condition, observedGeneration: before };
        });
  const hasAll = qosClass === status.qosClass && observedGeneration === status.observedGeneration;
  if (hasAll && conditions === status.conditions) return status;
  return withMembers(status, { qosClass, observedGeneration, conditions });
}

function hasObserved({ observedGeneration }: PodCondition): boolean {
  return Boolean(observedGeneration);
}

/** `known`: metadata that were found to be valid. */
function headProblems(apiVersion: unknown, kind: unknown, metadata: ObjectMeta, known: ObjectMeta): Problem[] {
  const problems: Problem[] = [];
  if (apiVersion || kind) podType({ apiVersion: apiVersion || 'v1', kind: kind || 'Pod' }, '', problems);
  checkChangedMetadata(metadata, known, problems);
  return problems;
}
