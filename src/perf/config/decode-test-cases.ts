import {
  boolean,
  DecodeFailure,
  type Decoder,
  float,
  int64,
  list,
  type Position,
  string,
  stringMap,
} from '../../config/decode/decoder.ts';
import { describe, type Value } from '../../config/decode/value.ts';
import { operation, paramValue } from './decode-operation.ts';
import { checked, fields, mapOf } from './fields.ts';
import {
  DEFAULT_THRESHOLD_METRIC,
  type LabelValues,
  type TestCase,
  type Threshold,
  type ThresholdMetric,
  type Workload,
} from './test-case.ts';

type Partially<T> = { readonly [K in keyof T]?: T[K] | undefined };

const amount = checked(float, 'a number >= 0', (number) => number >= 0);
const strings = list(string, '');

const threshold: Decoder<Threshold> = (value, at) => {
  if (value.kind === 'null') return undefined;
  if (value.kind !== 'object') return { value: amount(value, at) ?? 0, byTopic: new Map() };
  return { value: 0, byTopic: mapOf(amount)(value, at) ?? new Map() };
};

const thresholdMetric = fields({ name: string, labels: stringMap, dataBucket: string, expectLower: boolean });

const workload = fields({
  name: string,
  labels: strings,
  params: mapOf(paramValue),
  featureGates: mapOf(boolean),
  threshold,
  thresholdMetricSelector: thresholdMetric,
});

const labelValues = fields({ label: string, values: strings });

const testCase = fields({
  name: string,
  labels: strings,
  featureGates: mapOf(boolean),
  metricsCollectorConfig: fields({ metrics: mapOf(orNull(list(labelValues, {}))) }),
  schedulerConfigPath: string,
  schedulerApiClientQPS: float,
  schedulerApiClientBurst: int64,
  defaultPodTemplatePath: string,
  defaultThresholdMetricSelector: thresholdMetric,
  workloadTemplate: list(operation, { opcode: 'unknown', name: '' }),
  workloads: list(workload, {}),
});

/** Decodes the test cases of a file, with checks and defaults. @throws DecodeFailure */
export function decodeTestCases(document: Value): TestCase[] {
  if (document.kind !== 'list') throw new DecodeFailure(`expected a list of test cases, got ${describe(document)}`);
  if (document.items.length === 0) throw new DecodeFailure('holds no test case');
  const cases = document.items.map((item, i) => decodeTestCase(item, { path: `[${i}]`, strict: [] }));
  refuseRepeated(cases, (i) => `[${i}]`);
  return cases;
}

function decodeTestCase(value: Value, at: Position): TestCase {
  const decoded = testCase(value, at) ?? {};
  const { workloadTemplate: operations = [], workloads = [], defaultThresholdMetricSelector } = decoded;
  const name = named(decoded, at.path);
  if (workloads.length === 0) throw new DecodeFailure(`${at.path}.workloads: ${name} has none`);
  if (operations.length === 0) throw new DecodeFailure(`${at.path}.workloadTemplate: ${name} has no operation`);
  const collects = operations.some(
    (op) =>
      op.opcode === 'stopCollectingMetrics' ||
      (op.opcode === 'createPods' && op.collectMetrics) ||
      (op.opcode === 'createPodSets' && op.createPodsOp.collectMetrics),
  );
  if (!collects) throw new DecodeFailure(`${at.path}.workloadTemplate: no operation of ${name} collects metrics`);
  const decodedWorkloads = workloads.map((each, i) => {
    const path = `${at.path}.workloads[${i}]`;
    const selector = each.thresholdMetricSelector ?? defaultThresholdMetricSelector;
    if (selector && !selector.dataBucket) {
      throw new DecodeFailure(`${path}.thresholdMetricSelector.dataBucket: is required`);
    }
    const result: Workload = {
      name: named(each, path),
      labels: each.labels ?? [],
      params: each.params ?? new Map(),
      featureGates: each.featureGates ?? new Map(),
      threshold: each.threshold ?? { value: 0, byTopic: new Map() },
      thresholdMetric: selector ? completeMetric(selector) : DEFAULT_THRESHOLD_METRIC,
    };
    return result;
  });
  refuseRepeated(decodedWorkloads, (i) => `${at.path}.workloads[${i}]`);
  const metrics = decoded.metricsCollectorConfig?.metrics;
  return {
    name,
    labels: decoded.labels ?? [],
    featureGates: decoded.featureGates ?? new Map(),
    metrics: metrics && new Map([...metrics].map(([metric, labels]) => [metric, labels.map(completeLabels)])),
    schedulerConfigPath: decoded.schedulerConfigPath || undefined,
    defaultPodTemplatePath: decoded.defaultPodTemplatePath || undefined,
    unsupported: (['schedulerApiClientQPS', 'schedulerApiClientBurst'] as const).filter((field) => decoded[field]),
    operations,
    workloads: decodedWorkloads,
  };
}

function completeMetric({ name = '', labels = {}, dataBucket = '', expectLower = false }: Partially<ThresholdMetric>) {
  return { name, labels, dataBucket, expectLower };
}

function completeLabels({ label = '', values = [] }: Partially<LabelValues>): LabelValues {
  return { label, values };
}

function named({ name }: { readonly name?: string | undefined }, path: string): string {
  if (!name) throw new DecodeFailure(`${path}.name: is required`);
  return name;
}

function refuseRepeated(items: readonly { readonly name: string }[], pathOf: (i: number) => string): void {
  const seen = new Set<string>();
  for (const [i, { name }] of items.entries()) {
    if (seen.has(name)) throw new DecodeFailure(`${pathOf(i)}.name: ${JSON.stringify(name)} is not unique`);
    seen.add(name);
  }
}

/** Decodes null as an empty list: the metric is selected, but no labels. */
function orNull<T>(decode: Decoder<readonly T[]>): Decoder<readonly T[]> {
  return (value, at) => (value.kind === 'null' ? [] : decode(value, at));
}
