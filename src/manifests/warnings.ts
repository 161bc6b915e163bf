import type { Kind } from '../api/kinds.ts';
import { isMissing, isObject, type UnknownObject } from '../api/validation/check.ts';

/** A condition on single objects, and a message for all objects that meet it. */
interface Notice {
  readonly kind: Kind;
  readonly applies: (object: UnknownObject) => boolean;
  readonly text: (count: number) => string;
}

const NOTICES: readonly Notice[] = [
  {
    // kube-scheduler would decide differently, so this needs a warning.
    kind: 'Pod',
    applies: (pod) => isFilledList(memberOf(pod, 'spec', 'resourceClaims')),
    text: (count) => `spec.resourceClaims of ${count} ${count === 1 ? 'pod' : 'pods'} is not evaluated by this version`,
  },
  {
    // The disruption controller writes it; without it no eviction is allowed.
    kind: 'PodDisruptionBudget',
    applies: (budget) => isMissing(memberOf(budget, 'status', 'disruptionsAllowed')),
    text: (count) =>
      `status.disruptionsAllowed of ${count} PodDisruptionBudget${count === 1 ? ' is' : 's is'} missing ` +
      `and taken as 0: preemption spares ${count === 1 ? 'its' : 'their'} pods`,
  },
];

/** Collects warnings over many objects: things that their owner should know, but that are no errors. */
export class Warnings {
  readonly #counts = new Map<Notice, number>();

  /** Checks an object, which is valid, for warnings. */
  note(kind: Kind, object: UnknownObject): void {
    for (const notice of NOTICES) {
      if (notice.kind !== kind || !notice.applies(object)) continue;
      this.#counts.set(notice, (this.#counts.get(notice) ?? 0) + 1);
    }
  }

  /** The warnings, one sentence each. */
  texts(): string[] {
    return NOTICES.flatMap((notice) => {
      const count = this.#counts.get(notice);
      return count === undefined ? [] : [notice.text(count)];
    });
  }
}

function memberOf(object: UnknownObject, key: string, inner: string): unknown {
  const value = object[key];
  return isObject(value) ? value[inner] : undefined;
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
