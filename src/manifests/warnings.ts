import type { Kind } from '../api/kinds.ts';
import { isMissing, isObject, type UnknownObject } from '../api/validation/check.ts';

/** What is noticed about single objects and told of many at once. */
interface Notice {
  readonly kind: Kind;
  readonly applies: (object: UnknownObject) => boolean;
  readonly text: (count: number) => string;
}

const NOTICES: readonly Notice[] = [
  {
    // It would change a decision of kube-scheduler, so it is not passed over in silence.
    kind: 'Pod',
    applies: (pod) => isFilledList(memberOf(pod, 'spec', 'resourceClaims')),
    text: (count) => `spec.resourceClaims of ${count} ${count === 1 ? 'pod' : 'pods'} is not evaluated by this version`,
  },
  {
    // Written by the disruption controller; without it no eviction is allowed.
    kind: 'PodDisruptionBudget',
    applies: (budget) => isMissing(memberOf(budget, 'status', 'disruptionsAllowed')),
    text: (count) =>
      `status.disruptionsAllowed of ${count} PodDisruptionBudget${count === 1 ? ' is' : 's is'} missing ` +
      `and taken as 0: preemption spares ${count === 1 ? 'its' : 'their'} pods`,
  },
];

/** Collects, over many objects, what their owner should know and what is no error. */
export class Warnings {
  readonly #counts = new Map<Notice, number>();

  /** Takes a checked object. */
  note(kind: Kind, object: UnknownObject): void {
    for (const notice of NOTICES) {
      if (notice.kind !== kind || !notice.applies(object)) continue;
      this.#counts.set(notice, (this.#counts.get(notice) ?? 0) + 1);
    }
  }

  /** One sentence each. */
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
