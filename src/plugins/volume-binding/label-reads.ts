/** What storage that is not within reach of every node reads of the labels of nodes. */
import type { CSIStorageCapacity, PersistentVolume } from '../../api/storage.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { memoized } from '../../lib/memoized.ts';

/** A label that is read, with the values that are told apart; null if all are. */
export interface LabelRead {
  readonly key: string;
  readonly values: readonly string[] | null;
}

export const affinityReads = memoized((volume: PersistentVolume): readonly LabelRead[] => {
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return terms.flatMap(({ matchExpressions = [] }) => matchExpressions.map(readOf));
});

export const capacityReads = memoized(({ nodeTopology }: CSIStorageCapacity): readonly LabelRead[] => {
  const labels = Object.entries(nodeTopology?.matchLabels ?? {});
  const reads = labels.map(([key, value]): LabelRead => ({ key, values: [value] }));
  return [...reads, ...(nodeTopology?.matchExpressions ?? []).map(readOf)];
});

interface LabelExpression {
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly values?: readonly string[] | null | undefined;
}

/** Operators that compare numbers tell all values apart. */
function readOf({ key = '', operator, values }: LabelExpression): LabelRead {
  const isOfSets = operator !== undefined && SET_OPERATORS.includes(operator);
  return { key, values: isOfSets ? (values ?? []) : null };
}

const SET_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** Stands for all values of a label. */
const ANY = null;
/** Stands for a label that is read without naming a value. */
const PRESENCE = undefined;

/** What is read of labels by all of many things, of which some come and others go. */
export class CountedReads {
  readonly #counts = new Map<string, Map<string | null | undefined, number>>();

  /** `by`: 1 if something has come that reads this, -1 if it has gone. */
  add(reads: readonly LabelRead[], by: 1 | -1): void {
    for (const { key, values } of reads) {
      const counts = getOrMake(this.#counts, key, () => new Map());
      for (const value of values?.length === 0 ? [PRESENCE] : (values ?? [ANY])) {
        const count = (counts.get(value) ?? 0) + by;
        if (count > 0) counts.set(value, count);
        else counts.delete(value);
      }
    }
  }

  /** The number of values that are told apart. */
  get size(): number {
    let size = 0;
    for (const counts of this.#counts.values()) size += counts.size;
    return size;
  }

  *[Symbol.iterator](): Iterator<LabelRead> {
    for (const [key, counts] of this.#counts) {
      if (counts.size === 0) continue;
      const values = [...counts.keys()].filter((value) => value != null);
      yield { key, values: counts.has(ANY) ? null : values };
    }
  }
}
