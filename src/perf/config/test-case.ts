import type { Operation, ParamValue } from './operations.ts';

/** The metric that a threshold is for. */
export interface ThresholdMetric {
  readonly name: string;
  /** Labels that the result must have, with these values. */
  readonly labels: Readonly<Record<string, string>>;
  /** The bucket, such as `Average` or `Perc99`. */
  readonly dataBucket: string;
  /** Whether the threshold is an upper bound instead of a lower one. */
  readonly expectLower: boolean;
}

export const DEFAULT_THRESHOLD_METRIC: ThresholdMetric = {
  name: 'SchedulingThroughput',
  labels: {},
  dataBucket: 'Average',
  expectLower: false,
};

/** A threshold for all topics, or one for each topic (the suite that a file belongs to). 0 stands for none. */
export interface Threshold {
  readonly value: number;
  readonly byTopic: ReadonlyMap<string, number>;
}

/**
 * The histograms to report: for each metric one for every combination of these label values, or a single one without
 * labels.
 */
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
  /** The labels that every workload has besides its own. */
  readonly labels: readonly string[];
  /** Feature gates; those of a workload take precedence. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  readonly metrics: MetricSelection | undefined;
  readonly schedulerConfigPath: string | undefined;
  readonly defaultPodTemplatePath: string | undefined;
  /** Settings of the file that Berth does not support: `schedulerApiClientQPS`. */
  readonly unsupported: readonly string[];
  readonly operations: readonly Operation[];
  readonly workloads: readonly Workload[];
}
