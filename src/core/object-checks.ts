import type { ObjectKind, ObjectKinds } from '../api/kinds.ts';
import type { Labels } from '../api/meta.ts';
import type { Node } from '../api/node.ts';
import { podKey } from '../api/object-name.ts';
import type { Pod, PodSpec } from '../api/pod.ts';
import { isObject, type Problem, show } from '../api/validation/check.ts';
import { validateNode } from '../api/validation/node.ts';
import { isOtherKind, objectStructure } from '../api/validation/object-structures.ts';
import { validatePod, validatePodNames, validatePodOfKnownSpec } from '../api/validation/pod.ts';
import { nodeStructure, podStructure, podStructureOfKnownSpec, volumesStructure } from '../api/validation/structure.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';
import { jsonFormOf, withoutNulls } from '../lib/json-form.ts';

/**
 * Everything that a caller hands in is looked at here before anything is changed: it is refused as a whole, or
 * decisions can do with it. Each check returns the object that is to be kept: the one that was given, or a copy without
 * members that are null, which to the API are missing.
 */
export class ObjectChecks {
  /** Nodes and pods must also be such as an API server would take. */
  readonly #isThorough: boolean;
  /** Pods of one template share their spec: it is looked at once. Such a spec has no nulls. */
  readonly #checked = new WeakSet<PodSpec>();
  /** Of the last pod whose names were looked at. */
  #lastSpec: PodSpec | undefined;
  /** Valid parts of pods that others share. */
  #namespace: string | undefined;
  readonly #labels = new WeakSet<Labels>();
  /** Those of the last pod, if they are valid. */
  #lastLabels: Labels | undefined;

  constructor(isThorough: boolean) {
    this.#isThorough = isThorough;
  }

  checkNode(node: Node): Node {
    if (this.#isThorough) refuse('Node', node, validateNode(node));
    refuse('Node', node, nodeStructure(node));
    return sound('Node', node);
  }

  checkPod(pod: Pod): Pod {
    const spec = isObject(pod) ? (pod as Pod).spec : undefined;
    if (isObject(spec) && this.#checked.has(spec)) return this.#checkBesideSpec(pod);
    if (this.#isThorough) refuse('Pod', pod, validatePod(pod));
    refuse('Pod', pod, podStructure(pod));
    const kept = sound('Pod', pod);
    if (kept.spec) this.#checked.add(kept.spec);
    return kept;
  }

  /** A pod with the same signature has been checked: left are names that each pod may have of its own. */
  checkPodOfKnownSignature(pod: Pod): Pod {
    const { spec } = pod;
    const hasNames = spec?.volumes !== undefined || spec?.hostname !== undefined;
    if (hasNames && spec !== this.#lastSpec && !this.#checked.has(spec)) {
      // A pod with a wrong name may have other faults, of which the first is reported.
      if (!this.#hasSoundNames(spec)) return this.checkPod(pod);
      this.#lastSpec = spec;
    }
    return this.#checkBesideSpec(pod);
  }

  #hasSoundNames(spec: PodSpec): boolean {
    if (this.#isThorough && validatePodNames(spec).length > 0) return false;
    return volumesStructure(spec.volumes).length === 0 && jsonFormOf(spec.volumes) === 'plain';
  }

  /** The spec has been checked. */
  #checkBesideSpec(pod: Pod): Pod {
    const { metadata, status, apiVersion = 'v1', kind = 'Pod' } = pod;
    const isUsual =
      status === undefined &&
      metadata !== undefined &&
      metadata !== null &&
      apiVersion === 'v1' &&
      kind === 'Pod' &&
      isPlainName(metadata.name) &&
      (metadata.namespace === undefined || metadata.namespace === this.#namespace) &&
      (metadata.labels === this.#lastLabels || metadata.labels === undefined || this.#labels.has(metadata.labels)) &&
      (metadata.uid === undefined || typeof metadata.uid === 'string') &&
      metadata.annotations === undefined &&
      metadata.ownerReferences === undefined &&
      metadata.creationTimestamp === undefined &&
      metadata.deletionTimestamp === undefined;
    if (isUsual) return pod;
    if (this.#isThorough) refuse('Pod', pod, validatePodOfKnownSpec(pod));
    refuse('Pod', pod, podStructureOfKnownSpec(pod));
    const given = { metadata, status };
    const kept = sound('Pod', given);
    this.#namespace = kept.metadata?.namespace;
    this.#lastLabels = kept.metadata?.labels;
    if (this.#lastLabels !== undefined) this.#labels.add(this.#lastLabels);
    return kept === given ? pod : { ...pod, metadata: kept.metadata, status: kept.status };
  }

  checkPods(pods: readonly Pod[]): void {
    if (!Array.isArray(pods)) throw invalid(`pods: must be a list, not ${show(pods)}`);
  }

  checkObject<K extends ObjectKind>(kind: K, object: ObjectKinds[K]): ObjectKinds[K] {
    this.checkKind(kind);
    refuse(kind, object, objectStructure(kind, object));
    return sound(kind, object);
  }

  checkKind(kind: ObjectKind): void {
    if (!isOtherKind(kind)) throw invalid(`kind: ${show(kind)} is no kind of object that decisions depend on`);
  }

  /** `what` names the argument. */
  checkName(what: string, name: string): void {
    if (typeof name !== 'string') throw invalid(`${what}: must be a string, not ${show(name)}`);
  }
}

const LONGEST_PLAIN_NAME = 63;

/** A name of lower-case letters, digits and dashes: what nearly all pods have. Others are looked at closely. */
function isPlainName(name: string | undefined): boolean {
  if (typeof name !== 'string' || name.length === 0 || name.length > LONGEST_PLAIN_NAME) return false;
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i);
    const isAlphanumeric = (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);
    if (!isAlphanumeric && (unit !== DASH || i === 0 || i === name.length - 1)) return false;
  }
  return true;
}

const DASH = 45;

function refuse(kind: string, object: unknown, [problem]: readonly Problem[]): void {
  if (problem === undefined) return;
  const { field, reason } = problem;
  throw invalid(`${kind}${nameOf(kind, object)}: ${field === '' ? '' : `${field}: `}${reason}`);
}

/** The object without nulls: itself where it has none, so that what is shared stays shared. */
function sound<T extends object>(kind: string, object: T): T {
  const form = jsonFormOf(object);
  if (form === 'plain') return object;
  if (form === 'with nulls') return withoutNulls(object);
  const reason = form === 'too deep' ? 'is nested too deeply, or contains itself' : 'holds a bigint, which JSON cannot';
  throw invalid(`${kind}${nameOf(kind, object)}: ${reason}`);
}

/** As far as it can be told of an object that may be anything. */
function nameOf(kind: string, object: unknown): string {
  const metadata = isObject(object) ? object['metadata'] : undefined;
  if (!isObject(object) || !isObject(metadata)) return '';
  const { name, namespace } = metadata;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return ` ${kind === 'Pod' ? podKey({ metadata: { name: text(name), namespace: text(namespace) } }) : text(name)}`;
}

function invalid(message: string): SchedulerError {
  return new SchedulerError('Invalid', message);
}
