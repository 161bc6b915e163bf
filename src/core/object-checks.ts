import type { Labels } from '../api/meta.ts';
import type { Node } from '../api/node.ts';
import { podKey } from '../api/object-name.ts';
import type { Pod, PodSpec } from '../api/pod.ts';
import type { Problem } from '../api/validation/check.ts';
import { validateNode } from '../api/validation/node.ts';
import { validatePod, validatePodOfKnownSpec } from '../api/validation/pod.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';

/** Refuses what an API server would refuse, before anything is changed. */
export class ObjectChecks {
  /** Pods of one template share their spec: it is looked at once. */
  readonly #checked = new WeakSet<PodSpec>();
  /** Valid parts of pods that others share. */
  #namespace: string | undefined;
  readonly #labels = new WeakSet<Labels>();

  checkNode(node: Node): void {
    refuse(`Node ${node.metadata?.name ?? ''}`, validateNode(node));
  }

  checkPod(pod: Pod): void {
    const { spec } = pod;
    if (spec && this.#checked.has(spec)) {
      this.checkPodOfKnownSpec(pod);
      return;
    }
    refuse(`Pod ${podKey(pod)}`, validatePod(pod));
    if (spec) this.#checked.add(spec);
  }

  /** A spec with these contents has been checked. */
  checkPodOfKnownSpec(pod: Pod): void {
    const { metadata, status, apiVersion = 'v1', kind = 'Pod' } = pod;
    const isUsual =
      status === undefined &&
      metadata !== undefined &&
      apiVersion === 'v1' &&
      kind === 'Pod' &&
      isPlainName(metadata.name) &&
      (metadata.namespace === undefined || metadata.namespace === this.#namespace) &&
      (metadata.labels === undefined || this.#labels.has(metadata.labels)) &&
      (metadata.uid === undefined || typeof metadata.uid === 'string') &&
      metadata.annotations === undefined &&
      metadata.ownerReferences === undefined &&
      metadata.creationTimestamp === undefined &&
      metadata.deletionTimestamp === undefined;
    if (isUsual) return;
    refuse(`Pod ${podKey(pod)}`, validatePodOfKnownSpec(pod));
    this.#namespace = metadata?.namespace;
    if (metadata?.labels) this.#labels.add(metadata.labels);
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

function refuse(object: string, [problem]: readonly Problem[]): void {
  if (problem !== undefined) throw new SchedulerError('Invalid', `${object}: ${problem.field}: ${problem.reason}`);
}
