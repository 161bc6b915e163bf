import type { Labels } from '../../api/meta.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DataItem } from '../collect/data-item.ts';
import type { HistogramCollector } from '../collect/histograms.ts';
import { throughputItem } from '../collect/throughput.ts';
import { PerfError } from '../config/perf-error.ts';
import type { PodWatch } from './pod-watch.ts';

/** What is measured. */
export interface Measured {
  /** A name that is appended to the workload's name in results. */
  readonly name: string;
  readonly namespaces: readonly string[];
  readonly labels: Labels;
}

/** Measures between start and stop; it may be started several times, one after the other. */
export interface Measurement {
  readonly items: readonly DataItem[];
  /** @throws PerfError when a measurement is running */
  start(measured: Measured): void;
  /** @throws PerfError when no measurement is running */
  stop(): void;
}

interface MeasurementModules {
  readonly clock: Clock;
  readonly pods: PodWatch;
  readonly histograms: HistogramCollector;
  /** Called before each measurement. Upstream collects all garbage then (startCollectingMetrics). */
  readonly collectYoungGarbage?: (() => void) | undefined;
}

/** `workload`: its name, with which those of results begin. */
export function measurementOf(
  workload: string,
  { clock, pods, histograms, collectYoungGarbage }: MeasurementModules,
): Measurement {
  const items: DataItem[] = [];
  let finish: (() => void) | undefined;
  return {
    items,
    start({ name, namespaces, labels: podLabels }) {
      if (finish !== undefined) throw new PerfError('WorkloadFailed', 'metrics are being collected already');
      collectYoungGarbage?.();
      const scheduledMillis: number[] = [];
      histograms.start();
      const selector = { namespaces: new Set(namespaces), labels: podLabels };
      const stop = pods.onScheduled(selector, () => scheduledMillis.push(clock.nowMillis()));
      const startMillis = clock.nowMillis();
      finish = () => {
        stop();
        const labels = { Name: `${workload}/${name}` };
        const throughput = throughputItem(startMillis, scheduledMillis, labels);
        const seconds = (clock.nowMillis() - startMillis) / 1000;
        items.push(...(throughput === undefined ? [] : [throughput]), ...histograms.items(labels), {
          data: { Duration: seconds },
          unit: 's',
          labels: { Metric: 'SchedulingDuration', ...labels },
        });
      };
    },
    stop() {
      if (finish === undefined) throw new PerfError('WorkloadFailed', 'no metrics are being collected');
      finish();
      finish = undefined;
    },
  };
}
