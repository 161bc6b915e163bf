import { mergeMatchLabelKeys, namesLabelKeys } from '../../api/match-label-keys.ts';
import type { Labels } from '../../api/meta.ts';
import type { PodSpec, PodStatus } from '../../api/pod.ts';
import { podQosClass } from '../../api/pod-qos.ts';
import { defaultPodTemplate } from '../../api/pod-template.ts';
import { isObject } from '../../api/validation/check.ts';
import { LruMap } from '../../lib/lru-map.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import { DEPTH_MAX, frozenCopy, inheritsMembers } from '../objects/frozen-copy.ts';
import { Pattern } from '../objects/pattern.ts';

/** The spec of a new pod, and the status that it begins with. */
export interface PreparedPodSpec {
  readonly spec: PodSpec;
  readonly status: PodStatus;
}

/** A spec that was recognised, and the members of the given spec that are the pod's own. */
export interface RecalledPodSpec {
  readonly prepared: PreparedPodSpec;
  /** Frozen members that are not checked yet; volumes are absent where they are those of the prepared spec. */
  readonly own: { readonly [Name in keyof OwnMembers]: unknown };
}

/** A prepared spec, and the given spec that it was made from, both without hostname and node name. */
interface RememberedPodSpec extends PreparedPodSpec {
  readonly given: PodSpec;
  readonly pattern: Pattern;
}

/** The fields that often differ between pods of one template; no default depends on them. */
export type OwnMembers = Pick<PodSpec, 'hostname' | 'nodeName' | 'volumes'>;

const OWN_MEMBERS: ReadonlySet<string> = new Set(['hostname', 'nodeName', 'volumes'] satisfies (keyof OwnMembers)[]);

/**
 * How many specs are compared, one after the other: of the last pods, and then of those with the same images and
 * requests. Pods are usually made from that many templates at a time.
 */
const COMPARED = 4;
/** How many combinations of images and requests are remembered. A cluster has dozens to hundreds of them. */
const COMBINATIONS = 256;
/** How many given specs are known again by themselves, at least. */
const GIVEN_SPECS = 256;

/**
 * Remembers prepared specs. Nearly all pods are made from a template, thousands from the same one: recognising a spec
 * is ten times faster than checking, completing and copying it, and such pods share one spec in memory.
 */
export class PodSpecs {
  #recent: readonly RememberedPodSpec[] = [];
  /**
   * The specs by given ones that nobody can change: pods of one template come with the very same one, as do those of a
   * controller, and need no comparison.
   */
  #byGiven = new RecentMap<object, RememberedPodSpec>(GIVEN_SPECS);
  /** Specs by their images and requests. */
  #alike = new LruMap<string, readonly RememberedPodSpec[]>(COMBINATIONS);

  /** The prepared spec for an equal given spec, not counting own members; undefined when none was prepared lately. */
  recall(given: unknown): RecalledPodSpec | undefined {
    const same = isObject(given) ? this.#byGiven.get(given) : undefined;
    if (same !== undefined) return this.#recalled(same, given as OwnMembers);
    return this.#recallFrom(this.#recent, given) ?? this.#recallFrom(this.#alike.get(combinationOf(given)), given);
  }

  #recallFrom(candidates: readonly RememberedPodSpec[] = [], given: unknown): RecalledPodSpec | undefined {
    for (let i = 0; i < candidates.length; i++) {
      const candidate = candidates[i] as RememberedPodSpec;
      if (!candidate.pattern.matches(given, OWN_MEMBERS)) continue;
      const recalled = this.#recalled(candidate, given as OwnMembers);
      if (recalled === undefined) continue;
      if (isUnchangeable(given)) this.#byGiven.set(given as object, candidate);
      return recalled;
    }
    return undefined;
  }

  /** Undefined where only one of both has volumes: such specs have their members in different orders. */
  #recalled(candidate: RememberedPodSpec, given: OwnMembers): RecalledPodSpec | undefined {
    const { hostname, nodeName, volumes: raw } = given;
    const known = candidate.given.volumes;
    const volumes: unknown = raw === known ? known : frozenCopy(raw, known);
    if ((volumes === undefined) !== (known === undefined)) return undefined;
    if (this.#recent[0] !== candidate) this.#recent = withFirst(candidate, this.#recent);
    return { prepared: candidate, own: { hostname, nodeName, volumes: volumes === known ? undefined : volumes } };
  }

  /** A frozen copy of a spec that is not known yet, to be checked and prepared. @throws ApiError BadRequest */
  copy(given: unknown): unknown {
    return frozenCopy(given, this.#recent[0]?.given);
  }

  /**
   * Fills in a copied spec that was checked, except for its place. `admit` adds what depends on other objects of the
   * cluster.
   */
  prepare(copied: PodSpec, labels: Labels | undefined, admit: (spec: PodSpec) => PodSpec): PreparedPodSpec {
    const like = this.#recent[0];
    const given = withoutPlace(copied);
    const template = admit(defaultPodTemplate({ spec: given }).spec ?? {});
    const spec = frozenCopy(mergeMatchLabelKeys(template, labels), like?.spec, given);
    const status = frozenCopy(newStatus(spec), like?.status);
    const prepared = { given, pattern: new Pattern(withoutVolumes(given)), spec, status };
    // A spec that refers to the pod's labels is valid for this pod only, so it is not remembered.
    if (!namesLabelKeys(given)) this.#remember(prepared);
    return prepared;
  }

  #remember(prepared: RememberedPodSpec): void {
    this.#recent = withFirst(prepared, this.#recent);
    const combination = combinationOf(prepared.given);
    this.#alike.set(combination, withFirst(prepared, this.#alike.get(combination) ?? []));
  }

  /** Forgets all specs; the caller calls it when the result of `admit` may have changed. */
  forget(): void {
    this.#recent = [];
    this.#byGiven = new RecentMap(GIVEN_SPECS);
    this.#alike = new LruMap(COMBINATIONS);
  }
}

/** Whether the value is frozen with all that it consists of, so that it will be what it is. */
function isUnchangeable(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  if (depth > DEPTH_MAX || !Object.isFrozen(value) || (!Array.isArray(value) && inheritsMembers(value))) return false;
  for (const { value: member, get } of Object.values(Object.getOwnPropertyDescriptors(value))) {
    if (get !== undefined || !isUnchangeable(member, depth + 1)) return false;
  }
  return true;
}

/** The specs with this one in front, and as many as are compared. */
function withFirst(first: RememberedPodSpec, specs: readonly RememberedPodSpec[]): readonly RememberedPodSpec[] {
  const kept = [first];
  for (let i = 0; i < specs.length && kept.length < COMPARED; i++) {
    const other = specs[i] as RememberedPodSpec;
    if (other !== first) kept.push(other);
  }
  return kept;
}

/** The images and requests of a spec of unknown shape, in one text: what templates most often differ in. */
function combinationOf(spec: unknown): string {
  let text = '';
  const containers: unknown = isObject(spec) ? spec['containers'] : undefined;
  if (!Array.isArray(containers)) return text;
  for (const container of containers) {
    if (!isObject(container)) continue;
    const { image, resources } = container;
    const requests: unknown = isObject(resources) ? resources['requests'] : undefined;
    text += `${textOf(image)}\n`;
    if (isObject(requests)) for (const name in requests) text += `${name} ${textOf(requests[name])}\n`;
  }
  return text;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The prepared spec with own members, which are checked already and frozen. */
export function withOwnMembers(spec: PodSpec, { hostname, nodeName, volumes }: OwnMembers): PodSpec {
  const shared = volumes === undefined ? spec : withVolumes(spec, volumes);
  if (!hostname && !nodeName) return shared;
  return Object.freeze({ ...shared, ...(hostname && { hostname }), ...(nodeName && { nodeName }) });
}

/** The copy is built member by member, which V8 freezes faster than a spread one. */
function withVolumes(spec: PodSpec, volumes: PodSpec['volumes']): PodSpec {
  const copy: Record<string, unknown> = {};
  for (const key in spec) copy[key] = key === 'volumes' ? volumes : spec[key as keyof PodSpec];
  return Object.freeze(copy);
}

function withoutVolumes(spec: PodSpec): PodSpec {
  if (spec.volumes === undefined) return spec;
  const { volumes, ...others } = spec;
  return others;
}

function withoutPlace(spec: PodSpec): PodSpec {
  if (spec.hostname === undefined && spec.nodeName === undefined) return spec;
  const { hostname, nodeName, ...placeless } = spec;
  return Object.freeze(placeless);
}

/**
 * The status of a new pod. Upstream: PrepareForCreate and applySchedulingGatedCondition in
 * pkg/registry/core/pod/strategy.go.
 */
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
