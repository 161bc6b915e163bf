import type { Pod } from '../../api/pod.ts';
import { podGroupKeyOf } from '../../api/pod-group.ts';
import { objectKey } from '../../client/object-key.ts';

/**
 * Which of several schedulers is responsible for a pod: one that its name decides, until the pod is handed on. Pods of
 * a group have the same one, since they are placed together.
 */
export class PodOwners {
  readonly #count: number;
  /** The owners of pods that were handed on, by uid. */
  readonly #handed = new Map<string, number>();

  constructor(count: number) {
    this.#count = count;
  }

  of(pod: Pod): number {
    return this.#handed.get(pod.metadata?.uid ?? '') ?? this.homeOf(pod);
  }

  homeOf(pod: Pod): number {
    return shardOfName(podGroupKeyOf(pod) || objectKey(pod), this.#count);
  }

  /** Makes the next scheduler responsible, and returns it. */
  handOn(pod: Pod): number {
    const next = (this.of(pod) + 1) % this.#count;
    const uid = pod.metadata?.uid ?? '';
    if (next === this.homeOf(pod)) this.#handed.delete(uid);
    else this.#handed.set(uid, next);
    return next;
  }

  forget(pod: Pod): void {
    this.#handed.delete(pod.metadata?.uid ?? '');
  }
}

/** Spreads names evenly (FNV-1a, and a last mixing since names often differ in their last character only). */
export function shardOfName(name: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % count;
}
