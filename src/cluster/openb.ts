import { CsvError, parse } from 'csv-parse/sync';
import { defaultPod } from '../api/defaults.ts';
import type { Node } from '../api/node.ts';
import type { Pod, PodSpec } from '../api/pod.ts';
import { validateNode } from '../api/validation/node.ts';
import { validatePod } from '../api/validation/pod.ts';
import { CodedError } from '../lib/errors.ts';
import type { ClusterObjects } from './cluster-objects.ts';

/** Devices of a node in thousandths: a node of 8 has 8000, a pod that shares one asks for less than 1000. */
export const GPU_RESOURCE = 'alibabacloud.com/gpu-milli';
export const GPU_MODEL_LABEL = 'alibabacloud.com/gpu-card-model';
const QOS_LABEL = 'openb/qos';

/** The trace knows no limit of pods on a node; this one is above the pods of any published list. */
const PODS_PER_NODE = '1000000';
const GPU_MILLI_PER_DEVICE = 1000;

const NODE_COLUMNS = ['sn', 'cpu_milli', 'memory_mib', 'gpu', 'model'] as const;
const POD_COLUMNS = [
  'name',
  'cpu_milli',
  'memory_mib',
  'num_gpu',
  'gpu_milli',
  'gpu_spec',
  'qos',
  'pod_phase',
  'creation_time',
] as const;

/** One CSV table as text, and how it is called in messages. */
export interface CsvFile {
  readonly name: string;
  readonly text: string;
}

/**
 * The openb trace as a cluster: nodes in file order, pods by `creation_time`, equal times in file order, all pending
 * whatever became of them in the trace.
 *
 * Approximated: devices are pooled per node (`alibabacloud.com/gpu-milli` = devices x 1000, a pod asks num_gpu x
 * gpu_milli), so a pod that needs a whole device may be placed on pieces of several. Exact: cpu, memory, allowed models
 * (required node affinity on `alibabacloud.com/gpu-card-model`).
 *
 * @throws CodedError `InvalidTrace` naming file, line and column
 */
export function openbCluster(nodeFile: CsvFile, podFile: CsvFile): ClusterObjects {
  const nodes = readRows(nodeFile, NODE_COLUMNS).map(nodeOf);
  const pods = readRows(podFile, POD_COLUMNS).map((row) => ({
    seconds: row.seconds('creation_time'),
    pod: podOf(row),
  }));
  // The sort is stable: equal times keep their order.
  pods.sort((a, b) => a.seconds - b.seconds);
  return { nodes, pods: pods.map(({ pod }) => pod) };
}

function nodeOf(row: Row): Node {
  const name = row.text('sn');
  const gpuMilli = row.integer('gpu') * GPU_MILLI_PER_DEVICE;
  const model = row.text('model');
  const amounts = {
    cpu: `${row.integer('cpu_milli')}m`,
    memory: `${row.integer('memory_mib')}Mi`,
    pods: PODS_PER_NODE,
    ...(gpuMilli > 0 && { [GPU_RESOURCE]: String(gpuMilli) }),
  };
  const labels = { 'kubernetes.io/hostname': name, ...(model !== '' && { [GPU_MODEL_LABEL]: model }) };
  const node: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: {},
    status: { capacity: amounts, allocatable: amounts },
  };
  row.check(validateNode(node));
  return node;
}

function podOf(row: Row): Pod {
  const gpuMilli = row.integer('num_gpu') * row.integer('gpu_milli');
  const models = row
    .text('gpu_spec')
    .split('|')
    .filter((model) => model !== '');
  const requests = {
    cpu: `${row.integer('cpu_milli')}m`,
    memory: `${row.integer('memory_mib')}Mi`,
    ...(gpuMilli > 0 && { [GPU_RESOURCE]: String(gpuMilli) }),
  };
  // Extended resources cannot be overcommitted: the API wants the limit beside the request.
  const limits = gpuMilli > 0 ? { limits: { [GPU_RESOURCE]: String(gpuMilli) } } : {};
  const qos = row.text('qos');
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: row.text('name'),
      namespace: 'default',
      ...(qos !== '' && { labels: { [QOS_LABEL]: qos } }),
      annotations: { 'openb/creation-time': row.text('creation_time'), 'openb/phase': row.text('pod_phase') },
    },
    spec: {
      containers: [{ name: 'main', image: 'openb/task', resources: { requests, ...limits } }],
      ...(models.length > 0 && { affinity: requiredModels(models) }),
    },
  };
  row.check(validatePod(pod));
  return defaultPod(pod);
}

function requiredModels(models: readonly string[]): NonNullable<PodSpec['affinity']> {
  const term = { matchExpressions: [{ key: GPU_MODEL_LABEL, operator: 'In', values: models }] };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } };
}

/** One line of a table, read column by column. */
class Row {
  readonly #values: ReadonlyMap<string, string>;
  readonly #place: string;

  constructor(values: ReadonlyMap<string, string>, place: string) {
    this.#values = values;
    this.#place = place;
  }

  text(column: string): string {
    return this.#values.get(column) ?? '';
  }

  integer(column: string): number {
    return this.#number(column, /^\d{1,12}$/, 'a whole number >= 0');
  }

  seconds(column: string): number {
    return this.#number(column, /^\d{1,12}(\.\d+)?$/, 'seconds >= 0');
  }

  #number(column: string, form: RegExp, what: string): number {
    const text = this.text(column);
    if (!form.test(text)) throw traceError(`${this.#place}: column ${column}: expected ${what}, found "${text}"`);
    return Number(text);
  }

  check(problems: readonly { readonly field: string; readonly reason: string }[]): void {
    const problem = problems[0];
    if (problem !== undefined) throw traceError(`${this.#place}: ${problem.field}: ${problem.reason}`);
  }
}

function readRows(file: CsvFile, columns: readonly string[]): Row[] {
  const [header, ...records] = parseCsv(file);
  if (header === undefined) throw traceError(`${file.name}: is empty`);
  const missing = columns.find((column) => !header.cells.includes(column));
  if (missing !== undefined) {
    const found = header.cells.join(', ').slice(0, 200);
    throw traceError(`${file.name}:${header.line}: column ${missing} is missing (found: ${found})`);
  }
  const lineByName = new Map<string, number>();
  const nameColumn = columns[0] as string;
  return records.map(({ cells, line }) => {
    const place = `${file.name}:${line}`;
    if (cells.length !== header.cells.length) {
      throw traceError(`${place}: ${cells.length} cells where the header has ${header.cells.length}`);
    }
    const values = new Map(header.cells.map((column, i) => [column, cells[i] ?? '']));
    const name = values.get(nameColumn) ?? '';
    const first = lineByName.get(name);
    if (first !== undefined) {
      throw traceError(`${place}: column ${nameColumn}: duplicate name "${name}" (first in line ${first})`);
    }
    lineByName.set(name, line);
    return new Row(values, place);
  });
}

interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

function parseCsv({ name, text }: CsvFile): CsvRecord[] {
  try {
    const records = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
    return (records as unknown as { info: { lines: number }; record: string[] }[]).map(({ info, record }) => ({
      cells: record,
      line: info.lines,
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? `:${error['lines']}` : '';
    throw traceError(`${name}${line}: malformed CSV: ${error.message.split('\n')[0]}`);
  }
}

function traceError(message: string): CodedError<'InvalidTrace'> {
  return new CodedError('InvalidTrace', message);
}
