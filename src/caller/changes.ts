import type { ObjectKind, ObjectKinds } from '../api/kinds.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';

/** One change of what a scheduler knows. */
export type ClusterChange =
  | { readonly type: 'nodeAdded' | 'nodeUpdated'; readonly node: Node }
  | { readonly type: 'nodeRemoved'; readonly name: string }
  | { readonly type: 'podAdded' | 'podUpdated'; readonly pod: Pod }
  | { readonly type: 'podRemoved'; readonly namespace: string; readonly name: string }
  /** A decision has placed the pod on the node. */
  | { readonly type: 'podScheduled'; readonly pod: Pod; readonly node: string }
  /** Preemption has nominated the node, where the victims must go first. */
  | { readonly type: 'podNominated'; readonly pod: Pod; readonly node: string; readonly victims: readonly string[] }
  | { readonly type: 'objectSet'; readonly kind: ObjectKind; readonly object: ObjectKinds[ObjectKind] }
  | { readonly type: 'objectRemoved'; readonly kind: ObjectKind; readonly name: string; readonly namespace: string };

/** The changes that a reader has not read yet. */
interface Reader {
  pending: ClusterChange[];
  isEnded: boolean;
  hasExpired: boolean;
  wake: (() => void) | null;
  readonly limit: number;
}

/** Hands every change to the readers, each of which has a queue of its own. */
export class ChangeFeed {
  readonly #readers = new Set<Reader>();

  /** Whether somebody reads; if not, nobody needs to make changes. */
  get isRead(): boolean {
    return this.#readers.size > 0;
  }

  emit(change: ClusterChange): void {
    for (const reader of this.#readers) {
      if (reader.pending.length >= reader.limit) {
        reader.pending = [];
        reader.hasExpired = true;
        this.#end(reader);
        continue;
      }
      reader.pending.push(change);
      reader.wake?.();
    }
  }

  /** Ends all readers, after what they have not read yet. */
  close(): void {
    for (const reader of [...this.#readers]) this.#end(reader);
  }

  /** The changes from now on. A reader that falls behind by more than `limit` changes ends with Expired. */
  read(limit: number): AsyncIterableIterator<ClusterChange> {
    const reader: Reader = { pending: [], isEnded: false, hasExpired: false, wake: null, limit };
    this.#readers.add(reader);
    const next = async (): Promise<IteratorResult<ClusterChange>> => {
      while (reader.pending.length === 0 && !reader.isEnded) {
        await new Promise<void>((resolve) => {
          reader.wake = resolve;
        });
        reader.wake = null;
      }
      if (reader.hasExpired) {
        reader.hasExpired = false;
        throw new SchedulerError('Expired', `changes: more than ${limit} changes were not read`);
      }
      const value = reader.pending.shift();
      return value === undefined ? { done: true, value: undefined } : { done: false, value };
    };
    const end = async (): Promise<IteratorResult<ClusterChange>> => {
      reader.pending = [];
      this.#end(reader);
      return { done: true, value: undefined };
    };
    return {
      next,
      return: end,
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  #end(reader: Reader): void {
    reader.isEnded = true;
    this.#readers.delete(reader);
    reader.wake?.();
  }
}
