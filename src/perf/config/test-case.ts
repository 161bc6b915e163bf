import {
  boolean,
  type Decoded,
  DecodeFailure,
  type Decoder,
  empty,
  float,
  int64,
  list,
  or,
  string,
  stringMap,
} from '../../config/decode/decoder.ts';
import { describe, type Value } from '../../config/decode/value.ts';
import { checked, fields, mapOf, needed, strings } from './fields.ts';
import { operation, paramValue } from './operations.ts';

const amount = checked(float, 'a number >= 0', (number) => number >= 0);

/** A threshold for all topics, or one for each topic (the suite that a file belongs to). 0 stands for none. */
export interface Threshold {
  readonly value: number;
  readonly byTopic: ReadonlyMap<string, number>;
}

const NO_THRESHOLD: Threshold = { value: 0, byTopic: new Map() };

const threshold: Decoder<Threshold> = (value, at) => {
  if (value.kind === 'null') return undefined;
  if (value.kind !== 'object') return { ...NO_THRESHOLD, value: amount(value, at) ?? 0 };
  return { ...NO_THRESHOLD, byTopic: mapOf(amount)(value, at) ?? new Map() };
};

const thresholdMetric = fields({
  name: or(string, ''),
  /** Labels that the result must have, with these values. */
  labels: or(stringMap, {}),
  /** The bucket, such as `Average` or `Perc99`. */
  dataBucket: or(string, ''),
  /** Whether the threshold is an upper bound instead of a lower one. */
  expectLower: or(boolean, false),
});

/** The metric that a threshold is for. */
export type ThresholdMetric = Decoded<typeof thresholdMetric>;

/** @internal */
export const DEFAULT_THRESHOLD_METRIC: ThresholdMetric = {
  name: 'SchedulingThroughput',
  labels: {},
  dataBucket: 'Average',
  expectLower: false,
};

const common = {
  name: needed(string),
  labels: or(strings, []),
  /** Feature gates; those of a workload take precedence. */
  featureGates: or(mapOf(boolean), new Map()),
};

const workload = fields({
  ...common,
  params: or(mapOf(paramValue), new Map()),
  threshold: or(threshold, NO_THRESHOLD),
  thresholdMetricSelector: thresholdMetric,
});

/** One size of a test case. */
export type Workload = Omit<Decoded<typeof workload>, 'thresholdMetricSelector'> & {
  readonly thresholdMetric: ThresholdMetric;
};

const labelValues = fields({ label: or(string, ''), values: or(strings, []) });

export type LabelValues = Decoded<typeof labelValues>;

/**
 * The histograms to report: for each metric one for every combination of these label values, or a single one without
 * labels.
 */
export type MetricSelection = ReadonlyMap<string, readonly LabelValues[]>;

const testCase = fields({
  ...common,
  metricsCollectorConfig: fields({ metrics: mapOf(or(list(labelValues, empty(labelValues)), [])) }),
  schedulerConfigPath: string,
  schedulerApiClientQPS: float,
  schedulerApiClientBurst: int64,
  defaultPodTemplatePath: string,
  defaultThresholdMetricSelector: thresholdMetric,
  workloadTemplate: or(list(operation, { opcode: 'unknown', name: '' }), []),
  workloads: or(objects(workload), []),
});

/** Operations, and the sizes in which they are run. */
export type TestCase = ReturnType<typeof completeTestCase>;

/** Decodes the test cases of a file, with checks and defaults. @throws DecodeFailure */
export function decodeTestCases(document: Value): TestCase[] {
  if (document.kind !== 'list') throw new DecodeFailure(`expected a list of test cases, got ${describe(document)}`);
  if (document.items.length === 0) throw new DecodeFailure('holds no test case');
  const decoded = objects(testCase)(document, { path: '', strict: [] }) ?? [];
  const cases = decoded.map((each, i) => completeTestCase(each, `[${i}]`));
  refuseRepeated(cases, '');
  return cases;
}

function completeTestCase(decoded: Decoded<typeof testCase>, path: string) {
  const { name, labels, featureGates, workloadTemplate: operations, defaultThresholdMetricSelector } = decoded;
  if (decoded.workloads.length === 0) throw new DecodeFailure(`${path}.workloads: ${name} has none`);
  if (operations.length === 0) throw new DecodeFailure(`${path}.workloadTemplate: ${name} has no operation`);
  const collects = operations.some(
    (op) =>
      op.opcode === 'stopCollectingMetrics' ||
      (op.opcode === 'createPods' && op.collectMetrics) ||
      (op.opcode === 'createPodSets' && op.createPodsOp.collectMetrics),
  );
  if (!collects) throw new DecodeFailure(`${path}.workloadTemplate: no operation of ${name} collects metrics`);
  const workloads = decoded.workloads.map(({ thresholdMetricSelector, ...rest }, i): Workload => {
    const thresholdMetric = thresholdMetricSelector ?? defaultThresholdMetricSelector ?? DEFAULT_THRESHOLD_METRIC;
    if (thresholdMetric.dataBucket !== '') return { ...rest, thresholdMetric };
    throw new DecodeFailure(`${path}.workloads[${i}].thresholdMetricSelector.dataBucket: is required`);
  });
  refuseRepeated(workloads, `${path}.workloads`);
  return {
    name,
    /** The labels that every workload has besides its own. */
    labels,
    featureGates,
    metrics: decoded.metricsCollectorConfig?.metrics,
    schedulerConfigPath: decoded.schedulerConfigPath || undefined,
    defaultPodTemplatePath: decoded.defaultPodTemplatePath || undefined,
    /** Settings of the file that Berth does not support: `schedulerApiClientQPS`. */
    unsupported: (['schedulerApiClientQPS', 'schedulerApiClientBurst'] as const).filter((field) => decoded[field]),
    operations,
    workloads,
  };
}

/** Decodes a list, in which null is an object without fields. */
function objects<T>(item: Decoder<T>): Decoder<readonly T[]> {
  const decode: Decoder<T> = (value, at) => item(value.kind === 'null' ? { kind: 'object', members: [] } : value, at);
  return list(decode, undefined as never);
}

function refuseRepeated(items: readonly { readonly name: string }[], path: string): void {
  const seen = new Set<string>();
  for (const [i, { name }] of items.entries()) {
    if (seen.has(name)) throw new DecodeFailure(`${path}[${i}].name: ${JSON.stringify(name)} is not unique`);
    seen.add(name);
  }
}
