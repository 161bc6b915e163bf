import type { ObjectKind, ObjectKinds } from '../api/kinds.ts';
import type { Labels } from '../api/meta.ts';
import type { Node } from '../api/node.ts';
import { podKey } from '../api/object-name.ts';
import type { Pod, PodSpec } from '../api/pod.ts';
import { isObject, type Problem, show, type UnknownObject } from '../api/validation/check.ts';
import { validateNode } from '../api/validation/node.ts';
import { isOtherKind, objectStructure } from '../api/validation/object-structures.ts';
import { isPlainNode } from '../api/validation/plain-node.ts';
import { isPlainBesideSpec, isPlainPod } from '../api/validation/plain-pod.ts';
import { isPlainName } from '../api/validation/plain-values.ts';
import { isNodeName, validatePod, validatePodNames, validatePodOfKnownSpec } from '../api/validation/pod.ts';
import { nodeStructure, podStructure, podStructureOfKnownSpec, volumesStructure } from '../api/validation/structure.ts';
import type { MetadataForm } from '../framework/pod-info.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';
import { deepFrozen } from '../lib/deep-frozen.ts';
import { firstLineOf } from '../lib/errors.ts';
import { jsonFormOf, withoutNulls, withTextIntegers } from '../lib/json-form.ts';
import { RecentMap } from '../lib/recent-map.ts';
import { KnownMetadata } from './known-metadata.ts';
import { KnownVolumes } from './known-volumes.ts';
import type { PlacedPods } from './placed-pods.ts';

/**
 * Checks the objects that a caller hands in, before anything is changed. An object that decisions cannot use is
 * refused. Each check returns the object to be kept: the given one, or a copy without members that are null, which the
 * API treats as missing.
 */
export class ObjectChecks {
  /** Whether nodes and pods are also validated as an API server validates them. */
  readonly #isThorough: boolean;
  readonly #freezes: boolean;
  readonly #trusts: boolean;
  /** The specs that have been checked, since pods of one template may share one. They have no nulls. */
  readonly #checked = new RecentMap<PodSpec, true>();
  /** The spec of the last pod whose names were checked. */
  #lastSpec: PodSpec | undefined;
  /** A valid namespace. */
  #namespace: string | undefined;
  /** The labels that have been checked, since pods may share them. */
  readonly #labels = new RecentMap<Labels, true>();
  readonly #known = new KnownMetadata(isPlainName);
  readonly #knownVolumes = new KnownVolumes(isPlainName);
  /** The labels of the last checked pod, which are valid. */
  #lastLabels: Labels | undefined;
  /** The pod whose metadata were compared last, and their form. */
  #lastPod: Pod | null = null;
  #lastForm: MetadataForm | null = null;

  /** `freezes`: whether objects are frozen when they are kept; `trusts`: whether objects were checked before. */
  constructor(isThorough: boolean, freezes = false, trusts = false) {
    this.#isThorough = isThorough;
    this.#freezes = freezes;
    this.#trusts = trusts;
  }

  checkNode(node: Node): Node {
    if (this.#trusts) return this.#kept(node);
    try {
      return this.#kept(this.#checkNode(node));
    } catch (error) {
      throw unreadable('Node', error);
    }
  }

  #checkNode(node: Node): Node {
    if (isPlainNode(node)) return node;
    if (this.#isThorough) refuse('Node', node, validateNode(node));
    refuse('Node', node, nodeStructure(node));
    return sound('Node', node);
  }

  /** `placed`: the pods on nodes that were checked before, among which this one is then, too. */
  checkPod(pod: Pod, placed: PlacedPods | null = null): Pod {
    if (this.#trusts) return this.#kept(pod);
    try {
      return this.#kept(this.#checkPod(pod, placed));
    } catch (error) {
      throw unreadable('Pod', error);
    }
  }

  #checkPod(pod: Pod, placed: PlacedPods | null = null): Pod {
    const spec = isObject(pod) ? (pod as Pod).spec : undefined;
    if (isObject(spec) && this.#checked.has(spec)) return this.#checkBesideSpec(pod);
    // The signature leaves the node out.
    if (placed?.knows(pod) && isSoundNodeName(spec?.nodeName)) return this.#checkPodOfKnownSignature(pod);
    const kept = isPlainPod(pod) ? pod : this.#checkWholePod(pod);
    if (kept.spec) this.#checked.set(kept.spec, true);
    placed?.add(kept);
    return kept;
  }

  #checkWholePod(pod: Pod): Pod {
    if (this.#isThorough) refuse('Pod', pod, validatePod(pod));
    refuse('Pod', pod, podStructure(pod));
    return sound('Pod', pod);
  }

  /**
   * Checks a pod whose signature was checked before: the names that the signature leaves out, if there may be any, and
   * the metadata.
   */
  checkPodOfKnownSignature(pod: Pod, mayHaveNames = true): Pod {
    if (this.#trusts) return this.#kept(pod);
    try {
      return this.#kept(mayHaveNames ? this.#checkPodOfKnownSignature(pod) : this.#checkBesideSpec(pod));
    } catch (error) {
      throw unreadable('Pod', error);
    }
  }

  #checkPodOfKnownSignature(pod: Pod): Pod {
    const { spec } = pod;
    const hasNames = spec?.volumes !== undefined || spec?.hostname !== undefined;
    if (hasNames && spec !== this.#lastSpec && !this.#checked.has(spec)) {
      // A pod with an invalid name may have other faults, of which the first is reported.
      if (!this.#hasSoundNames(spec)) return this.#checkPod(pod);
      this.#lastSpec = spec;
    }
    return this.#checkBesideSpec(pod);
  }

  #hasSoundNames(spec: PodSpec): boolean {
    const { volumes, hostname } = spec;
    if (hostname === undefined && this.#knownVolumes.has(volumes)) return true;
    if (this.#isThorough && validatePodNames(spec).length > 0) return false;
    const isSound = volumesStructure(volumes).length === 0 && jsonFormOf(volumes) === 'plain';
    if (isSound) this.#knownVolumes.add(volumes);
    return isSound;
  }

  /** Checks everything but the spec. */
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
    this.#lastPod = pod;
    this.#lastForm = this.#known.formOf(pod);
    if (this.#lastForm !== null) return pod;
    if (!isPlainBesideSpec(pod as unknown as UnknownObject)) {
      if (this.#isThorough) refuse('Pod', pod, validatePodOfKnownSpec(pod));
      refuse('Pod', pod, podStructureOfKnownSpec(pod));
    }
    const given = { metadata, status };
    const kept = sound('Pod', given);
    this.#namespace = kept.metadata?.namespace;
    this.#lastLabels = kept.metadata?.labels;
    if (this.#lastLabels !== undefined) this.#labels.set(this.#lastLabels, true);
    if (kept !== given) return { ...pod, metadata: kept.metadata, status: kept.status };
    this.#lastForm = this.#known.add(pod);
    return pod;
  }

  /** The form of the metadata of the pod that was checked last; null for another pod, and if it is not known. */
  metadataFormOf(pod: Pod): MetadataForm | null {
    return pod === this.#lastPod ? this.#lastForm : null;
  }

  #kept<T extends object>(object: T): T {
    return this.#freezes ? deepFrozen(object) : object;
  }

  checkPods(pods: readonly Pod[]): void {
    if (!Array.isArray(pods)) throw invalid(`pods: must be a list, not ${show(pods)}`);
  }

  checkObject<K extends ObjectKind>(kind: K, object: ObjectKinds[K]): ObjectKinds[K] {
    if (this.#trusts) return this.#kept(object);
    this.checkKind(kind);
    try {
      refuse(kind, object, objectStructure(kind, object));
      return this.#kept(sound(kind, object));
    } catch (error) {
      throw unreadable(kind, error);
    }
  }

  checkKind(kind: ObjectKind): void {
    if (!isOtherKind(kind)) throw invalid(`kind: ${show(kind)} is no kind of object that decisions depend on`);
  }

  /** Checks what names one object. */
  checkReference(kind: ObjectKind, name: string, namespace: string): void {
    this.checkKind(kind);
    this.checkName('name', name);
    this.checkName('namespace', namespace);
  }

  /** `what`: the name of the argument. */
  checkName(what: string, name: string): void {
    if (typeof name !== 'string') throw invalid(`${what}: must be a string, not ${show(name)}`);
  }
}

function isSoundNodeName(name: unknown): boolean {
  return isPlainName(name) || isNodeName(name);
}

/** What is thrown for an object whose own getters or traps throw. */
function unreadable(kind: string, error: unknown): SchedulerError {
  return error instanceof SchedulerError ? error : invalid(`${kind}: cannot be read: ${firstLineOf(error)}`);
}

function refuse(kind: string, object: unknown, [problem]: readonly Problem[]): void {
  if (problem === undefined) return;
  const { field, reason } = problem;
  throw invalid(`${kind}${nameOf(kind, object)}: ${field === '' ? '' : `${field}: `}${reason}`);
}

/** Returns the object without nulls: the object itself if it has none, so that shared parts stay shared. */
function sound<T extends object>(kind: string, object: T): T {
  const form = jsonFormOf(object);
  if (form === 'plain') return object;
  if (form === 'with nulls') return withoutNulls(object);
  // Attributes of devices have integers of 64 bits, which are kept as texts.
  if (form === 'with a bigint' && kind === 'ResourceSlice') return withTextIntegers(object);
  const reason = form === 'too deep' ? 'is nested too deeply, or contains itself' : 'holds a bigint, which JSON cannot';
  throw invalid(`${kind}${nameOf(kind, object)}: ${reason}`);
}

/** The name of the object for an error message, with a space before it; '' if the object has no metadata. */
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
