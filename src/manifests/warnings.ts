import type { Kind } from '../api/kinds.ts';
import { isMissing, isObject, type UnknownObject } from '../api/validation/check.ts';
import { whole } from '../lib/shown-count.ts';

/** A condition on single objects, and a message for all objects that meet it. */
interface Notice {
  readonly kind: Kind;
  readonly applies: (object: UnknownObject) => boolean;
  readonly text: (count: number) => string;
}

const NOTICES: readonly Notice[] = [
  {
    // The API server copies both from the RuntimeClass when it admits the pod.
    kind: 'Pod',
    applies: (pod) =>
      isPending(pod) &&
      !isMissing(memberOf(pod, 'spec', 'runtimeClassName')) &&
      isMissing(memberOf(pod, 'spec', 'overhead')),
    text: (count) =>
      `spec.runtimeClassName of ${pods(count)}: RuntimeClasses are not read: overhead and nodeSelector are missing`,
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
  /** The titles of the claims in the input, and those that pending pods use. */
  readonly #claims = new Set<string>();
  readonly #usedClaims = new Map<string, string>();

  /** Checks an object, which is valid, for warnings. */
  note(kind: Kind, object: UnknownObject, title: string): void {
    if (kind === 'PersistentVolumeClaim') this.#claims.add(title);
    if (kind === 'Pod') this.#noteClaims(object, title);
    for (const notice of NOTICES) {
      if (notice.kind !== kind || !notice.applies(object)) continue;
      this.#counts.set(notice, (this.#counts.get(notice) ?? 0) + 1);
    }
  }

  /** The warnings, one sentence each. */
  texts(): string[] {
    const texts = NOTICES.flatMap((notice) => {
      const count = this.#counts.get(notice);
      return count === undefined ? [] : [notice.text(count)];
    });
    const missing = [...this.#usedClaims].filter(([claim]) => !this.#claims.has(claim));
    const [first] = missing;
    if (first === undefined) return texts;
    const claims = missing.length === 1 ? '1 claim is' : `${whole(missing.length)} claims are`;
    return [...texts, `${claims} not in the input: their pods cannot be placed (${first[1]} uses ${first[0]})`];
  }

  #noteClaims(pod: UnknownObject, title: string): void {
    const volumes = memberOf(pod, 'spec', 'volumes');
    if (!isFilledList(volumes) || !isPending(pod)) return;
    const namespace = title.slice('Pod '.length, title.indexOf('/'));
    for (const volume of volumes) {
      const claim = isObject(volume) ? volume['persistentVolumeClaim'] : undefined;
      const name = isObject(claim) ? claim['claimName'] : undefined;
      if (typeof name !== 'string') continue;
      const claimTitle = `PersistentVolumeClaim ${namespace}/${name}`;
      if (!this.#usedClaims.has(claimTitle)) this.#usedClaims.set(claimTitle, title);
    }
  }
}

function isPending(pod: UnknownObject): boolean {
  return !memberOf(pod, 'spec', 'nodeName') && isMissing(memberOf(pod, 'metadata', 'deletionTimestamp'));
}

function pods(count: number): string {
  return count === 1 ? '1 pod' : `${whole(count)} pods`;
}

function memberOf(object: UnknownObject, key: string, inner: string): unknown {
  const value = object[key];
  return isObject(value) ? value[inner] : undefined;
}

function isFilledList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}
