import { percentile } from '../../lib/percentile.ts';
import { type DataItem, percentileBuckets } from './data-item.ts';

/** The interval between samples in upstream. */
const SAMPLE_MILLIS_MAX = 1000;
/** Shorter runs are divided into this many samples. */
const SAMPLES_MIN = 20;

/**
 * Upstream's SchedulingThroughput: pods per second. `Average` is the number of pods divided by the whole time, from the
 * start of the collection, including the creation of the pods, to the last pod. Percentiles are of samples, one a
 * second as upstream, or more often when the run lasts less than 20 seconds. The time of a sample without a pod is
 * added to the next sample with one, as upstream does.
 *
 * `scheduledMillis`: when each pod got its node, ascending. Without any pod or time, the result is empty.
 */
export function throughputItem(
  startMillis: number,
  scheduledMillis: readonly number[],
  labels: DataItem['labels'],
): DataItem | undefined {
  const endMillis = scheduledMillis.at(-1) ?? startMillis;
  const durationMillis = endMillis - startMillis;
  if (durationMillis <= 0) return undefined;
  const samples = samplesOf(startMillis, scheduledMillis, Math.min(SAMPLE_MILLIS_MAX, durationMillis / SAMPLES_MIN));
  const percentiles = percentileBuckets((percent) => percentile(samples, percent));
  return {
    data: { Average: (scheduledMillis.length * 1000) / durationMillis, ...percentiles },
    unit: 'pods/s',
    labels: { Metric: 'SchedulingThroughput', ...labels },
  };
}

/** Pods per second in each interval, ascending. */
function samplesOf(startMillis: number, scheduledMillis: readonly number[], intervalMillis: number): Float64Array {
  const samples: number[] = [];
  let [next, intervals] = [0, 0];
  let fromMillis = startMillis;
  while (next < scheduledMillis.length) {
    intervals++;
    const toMillis = fromMillis + intervals * intervalMillis;
    const before = next;
    // A rounding error may put the end of the last interval before the last pod.
    while (next < scheduledMillis.length && (scheduledMillis[next] as number) <= toMillis + 1e-6) next++;
    if (next === before) continue;
    const rate = ((next - before) * 1000) / (intervals * intervalMillis);
    for (; intervals > 0; intervals--) samples.push(rate);
    fromMillis = toMillis;
  }
  return Float64Array.from(samples).sort();
}
