import type { Operation, ParamValue } from './operations.ts';

/** Which metric a threshold is about. */
export interface ThresholdMetric {
  readonly name: string;
  /** All of them must be labels of the result. */
  readonly labels: Readonly<Record<string, string>>;
  /** `Average`, `Perc99`, ... */
  readonly dataBucket: string;
  /** The threshold is the most that is allowed, not the least. */
  readonly expectLower: boolean;
}

export const DEFAULT_THRESHOLD_METRIC: ThresholdMetric = {
  name: 'SchedulingThroughput',
  labels: {},
  dataBucket: 'Average',
  expectLower: false,
};

/** One number, or one for each topic (the suite that a file belongs to). 0: none. */
export interface Threshold {
  readonly value: number;
  readonly byTopic: ReadonlyMap<string, number>;
}

/** Histograms to report: for each every combination of these label values; without labels, all taken together. */
export type MetricSelection = ReadonlyMap<string, readonly LabelValues[]>;

export interface LabelValues {
  readonly label: string;
  readonly values: readonly string[];
}

/** One size of a test case. */
export interface Workload {
  readonly name: string;
  readonly labels: readonly string[];
  readonly params: ReadonlyMap<string, ParamValue>;
  readonly featureGates: ReadonlyMap<string, boolean>;
  readonly threshold: Threshold;
  readonly thresholdMetric: ThresholdMetric;
}

/** Operations, and the sizes in which they are run. */
export interface TestCase {
  readonly name: string;
  /** Every workload has them, too. */
  readonly labels: readonly string[];
  /** A workload's own go first. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  readonly metrics: MetricSelection | undefined;
  readonly schedulerConfigPath: string | undefined;
  readonly defaultPodTemplatePath: string | undefined;
  /** What the file asks for and Berth does not have: `schedulerApiClientQPS`. */
  readonly unsupported: readonly string[];
  readonly operations: readonly Operation[];
  readonly workloads: readonly Workload[];
}
