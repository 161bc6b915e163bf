import { percentile } from '../../benchmark/percentile.ts';
import type { DataItem } from './data-item.ts';

/** Upstream's distance between samples. */
const SAMPLE_MILLIS_MAX = 1000;
/** Of shorter runs there are so many samples. */
const SAMPLES_MIN = 20;
const PERCENTILES = [50, 90, 95, 99] as const;

/**
 * Upstream's SchedulingThroughput: pods per second. `Average` is all pods by the whole time, from the start of the
 * collection, creation of the pods included, to the last pod. Percentiles are of samples, one a second as upstream's,
 * closer where the run lasts less than 20 seconds. A sample without a pod is made up for by the next with one, as
 * upstream does it.
 *
 * `scheduledMillis`: when each pod got its node, ascending. Without a pod, or time, there is nothing to tell.
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
  const percentiles = PERCENTILES.map((percent) => [`Perc${percent}`, percentile(samples, percent)] as const);
  return {
    data: { Average: (scheduledMillis.length * 1000) / durationMillis, ...Object.fromEntries(percentiles) },
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
    // The last interval may end a rounding error before the last pod.
    while (next < scheduledMillis.length && (scheduledMillis[next] as number) <= toMillis + 1e-6) next++;
    if (next === before) continue;
    const rate = ((next - before) * 1000) / (intervals * intervalMillis);
    for (; intervals > 0; intervals--) samples.push(rate);
    fromMillis = toMillis;
  }
  return Float64Array.from(samples).sort();
}
