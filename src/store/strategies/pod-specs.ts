import { mergeMatchLabelKeys, namesLabelKeys } from '../../api/match-label-keys.ts';
import type { Labels } from '../../api/meta.ts';
import type { PodSpec, PodStatus } from '../../api/pod.ts';
import { podQosClass } from '../../api/pod-qos.ts';
import { defaultPodTemplate } from '../../api/pod-template.ts';
import { frozenCopy } from '../objects/frozen-copy.ts';
import { Pattern } from '../objects/pattern.ts';

/** The spec of a new pod, and the status that it begins with. */
export interface PreparedPodSpec {
  readonly spec: PodSpec;
  readonly status: PodStatus;
}

/** Both without a place. */
interface RememberedPodSpec extends PreparedPodSpec {
  readonly given: PodSpec;
  readonly pattern: Pattern;
}

/** What often differs between pods of one template; nothing that is filled in depends on it. */
export type Place = Pick<PodSpec, 'hostname' | 'nodeName'>;

const PLACES: ReadonlySet<string> = new Set(['hostname', 'nodeName'] satisfies (keyof Place)[]);

/** As many templates as pods are usually made from at a time; each costs a look at a pod that is made from another. */
const REMEMBERED = 4;

/**
 * Nearly all pods are made from a template, thousands from one: to see that a spec is the same as a moment ago is ten
 * times faster than to check, fill in and copy it, and such pods share one spec in memory.
 */
export class PodSpecs {
  #recent: RememberedPodSpec[] = [];

  /** What was prepared before for the same spec, place aside; undefined when none was lately. */
  recall(given: unknown): PreparedPodSpec | undefined {
    for (let i = 0; i < this.#recent.length; i++) {
      const candidate = this.#recent[i] as RememberedPodSpec;
      if (!candidate.pattern.matches(given, PLACES)) continue;
      if (i > 0) this.#recent = [candidate, ...this.#recent.filter((other) => other !== candidate)];
      return candidate;
    }
    return undefined;
  }

  /** The part of a spec that is not known yet, as it can be checked and prepared. @throws ApiError BadRequest */
  copy(given: unknown): unknown {
    return frozenCopy(given, this.#recent[0]?.given);
  }

  /**
   * Fills in a copied spec that was checked, but for its place. `admit` adds what depends on the rest of the cluster.
   */
  prepare(copied: PodSpec, labels: Labels | undefined, admit: (spec: PodSpec) => PodSpec): PreparedPodSpec {
    const like = this.#recent[0];
    const given = withoutPlace(copied);
    const template = admit(defaultPodTemplate({ spec: given }).spec ?? {});
    const spec = frozenCopy(mergeMatchLabelKeys(template, labels), like?.spec);
    const status = frozenCopy(newStatus(spec), like?.status);
    const prepared = { given, pattern: new Pattern(given), spec, status };
    // What depends on the pod's labels is good for this pod only.
    if (!namesLabelKeys(given)) this.#recent = [prepared, ...this.#recent.slice(0, REMEMBERED - 1)];
    return prepared;
  }

  /** To be called when what `admit` depends on has changed. */
  forget(): void {
    this.#recent = [];
  }
}

/** The prepared spec with a place, which is checked. */
export function placedSpec(spec: PodSpec, { hostname, nodeName }: Place): PodSpec {
  if (!hostname && !nodeName) return spec;
  return Object.freeze({ ...spec, ...(hostname && { hostname }), ...(nodeName && { nodeName }) });
}

function withoutPlace(spec: PodSpec): PodSpec {
  if (spec.hostname === undefined && spec.nodeName === undefined) return spec;
  const { hostname, nodeName, ...placeless } = spec;
  return Object.freeze(placeless);
}

/** Upstream: PrepareForCreate and applySchedulingGatedCondition in pkg/registry/core/pod/strategy.go. */
function newStatus(spec: PodSpec): PodStatus {
  const status: PodStatus = { phase: 'Pending', qosClass: podQosClass(spec) };
  if (!spec.schedulingGates?.length) return status;
  const gated = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return { ...status, conditions: [gated] };
}
