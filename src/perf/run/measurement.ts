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

interface Running {
  readonly name: string;
  readonly startMillis: number;
  readonly scheduledMillis: number[];
  readonly stop: () => void;
}

/** Measures between start and stop; it may be started several times, one after the other. */
export class Measurement {
  readonly items: DataItem[] = [];
  readonly #workload: string;
  readonly #clock: Clock;
  readonly #pods: PodWatch;
  readonly #histograms: HistogramCollector;
  #running: Running | undefined;

  constructor(workload: string, clock: Clock, pods: PodWatch, histograms: HistogramCollector) {
    this.#workload = workload;
    this.#clock = clock;
    this.#pods = pods;
    this.#histograms = histograms;
  }

  /** @throws PerfError when a measurement is running */
  start({ name, namespaces, labels }: Measured): void {
    if (this.#running !== undefined) throw new PerfError('WorkloadFailed', 'metrics are being collected already');
    const scheduledMillis: number[] = [];
    this.#histograms.start();
    const selector = { namespaces: new Set(namespaces), labels };
    const stop = this.#pods.onScheduled(selector, () => scheduledMillis.push(this.#clock.nowMillis()));
    this.#running = { name, startMillis: this.#clock.nowMillis(), scheduledMillis, stop };
  }

  /** @throws PerfError when no measurement is running */
  stop(): void {
    if (this.#running === undefined) throw new PerfError('WorkloadFailed', 'no metrics are being collected');
    const { name, startMillis, scheduledMillis, stop } = this.#running;
    stop();
    this.#running = undefined;
    const labels = { Name: `${this.#workload}/${name}` };
    const throughput = throughputItem(startMillis, scheduledMillis, labels);
    const seconds = (this.#clock.nowMillis() - startMillis) / 1000;
    this.items.push(...(throughput === undefined ? [] : [throughput]), ...this.#histograms.items(labels), {
      data: { Duration: seconds },
      unit: 's',
      labels: { Metric: 'SchedulingDuration', ...labels },
    });
  }
}
