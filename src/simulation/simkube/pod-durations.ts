import { isObject, quote, show, type UnknownObject } from '../../api/validation/check.ts';
import { notARecording } from '../../recording/read-lines.ts';

/** The pods of an owner that began after one of its changes, and before the next. */
interface Bucket {
  /** When the owner was changed; 0 if that is not known. */
  readonly sinceTs: number;
  /** How long the pods ran that have ended. */
  readonly seconds: readonly number[];
}

/** How long the pods of owners ran: in traces of version 2 by owner, in those of version 3 by its changes as well. */
export class PodDurations {
  /** The durations by kind and name, as in `batch/v1.Job shop/import`. */
  readonly #buckets = new Map<string, readonly Bucket[]>();

  /** @throws CodedError `NotARecording` */
  static ofVersion2(trace: UnknownObject, file: string): PodDurations {
    const durations = new PodDurations();
    for (const [key, byHash] of membersOf(trace['pod_lifecycles'], 'pod_lifecycles', file)) {
      const field = `pod_lifecycles[${quote(key)}]`;
      const lists = membersOf(byHash, field, file).map(([hash, list]) =>
        secondsIn(list, `${field}[${quote(hash)}]`, file),
      );
      durations.#buckets.set(keyOfPair(key), [{ sinceTs: 0, seconds: lists.flat() }]);
    }
    return durations;
  }

  /** @throws CodedError `NotARecording` */
  static ofVersion3(trace: UnknownObject, file: string): PodDurations {
    const durations = new PodDurations();
    for (const [kind, byName] of membersOf(trace['index'], 'index', file)) {
      for (const [name, byTime] of membersOf(byName, `index[${quote(kind)}]`, file)) {
        const field = `index[${quote(kind)}][${quote(name)}]`;
        const buckets = membersOf(byTime, field, file).map(([time, list]): Bucket => {
          if (!/^\d+$/.test(time)) throw notARecording(file, `${field}: has the key ${quote(time)}, which is no time`);
          const lifecycles = Array.isArray(list)
            ? list.map((each: unknown) => (isObject(each) ? each['lifecycle'] : each))
            : list;
          return { sinceTs: Number(time), seconds: secondsIn(lifecycles, `${field}.${time}`, file) };
        });
        durations.#buckets.set(
          `${kind} ${name}`,
          buckets.toSorted((a, b) => a.sinceTs - b.sinceTs),
        );
      }
    }
    return durations;
  }

  /**
   * How long pods of an owner run that is changed at this time, on average, as an annotation says it; undefined if
   * nothing is known of its pods.
   */
  textFor(owner: string, ts: number): string | undefined {
    const buckets = this.#buckets.get(owner) ?? [];
    const { seconds } = buckets.findLast(({ sinceTs }) => sinceTs <= ts) ?? buckets[0] ?? {};
    if (seconds === undefined) return undefined;
    if (seconds.length === 0) return 'forever';
    return `${Math.round((1000 * seconds.reduce((sum, each) => sum + each, 0)) / seconds.length)}ms`;
  }
}

/** The kind and the name of an owner, which are a list that was made a key. */
function keyOfPair(key: string): string {
  return key.replace(/^\["(.*)","(.*)"\]$/, '$1 $2');
}

function membersOf(value: unknown, field: string, file: string): [string, unknown][] {
  if (value === undefined) return [];
  if (!isObject(value)) throw notARecording(file, `${field}: must be a map, not ${show(value)}`);
  return Object.entries(value);
}

/** How long those of some pods ran that have ended. @throws CodedError `NotARecording` */
function secondsIn(lifecycles: unknown, field: string, file: string): number[] {
  if (!Array.isArray(lifecycles)) throw notARecording(file, `${field}: must be a list, not ${show(lifecycles)}`);
  return lifecycles.flatMap((lifecycle: unknown, i) => {
    const finished = isObject(lifecycle) ? lifecycle['Finished'] : undefined;
    if (finished === undefined) return [];
    const [start, end] = Array.isArray(finished) ? (finished as unknown[]) : [];
    if (typeof start === 'number' && typeof end === 'number' && end >= start) return [end - start];
    throw notARecording(file, `${field}[${i}]: Finished must be two times in order`);
  });
}
