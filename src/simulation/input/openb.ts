import { defaultPod } from '../../api/defaults.ts';
import type { Node } from '../../api/node.ts';
import type { Pod, PodSpec } from '../../api/pod.ts';
import { validateNode } from '../../api/validation/node.ts';
import { validatePod, validatePodOfKnownSpec } from '../../api/validation/pod.ts';
import type { ClusterManifest } from '../../manifests/cluster-manifest.ts';
import { frozenCopy } from '../../store/objects/frozen-copy.ts';
import { type CsvFile, type CsvRow, readNamedRows } from './csv-table.ts';

/**
 * GPU devices of a node in thousandths: a node with 8 devices has 8000, a pod that shares one requests less than 1000.
 */
const GPU_RESOURCE = 'alibabacloud.com/gpu-milli';
const GPU_MODEL_LABEL = 'alibabacloud.com/gpu-card-model';
const QOS_LABEL = 'openb/qos';

/** The number of pods that a node takes. The trace has no limit; this one exceeds the pods of any published list. */
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

/** A pod of the trace, with its times in seconds since the trace began. */
export interface OpenbPod {
  readonly pod: Pod;
  readonly creationSeconds: number;
  /** When the pod is deleted; undefined if the trace does not say. */
  readonly deletionSeconds: number | undefined;
}

/**
 * The openb trace as a cluster: nodes in file order, pods by `creation_time`, equal times in file order. All pods are
 * pending, whatever happened to them in the trace.
 *
 * Approximate: devices are pooled per node (`alibabacloud.com/gpu-milli` = devices x 1000, a pod asks num_gpu x
 * gpu_milli), so a pod that needs a whole device may be placed on pieces of several. Exact: cpu, memory, allowed models
 * (required node affinity on `alibabacloud.com/gpu-card-model`).
 *
 * @throws CodedError `InvalidTrace` naming file, line and column
 */
export function openbCluster(nodeFile: CsvFile, podFile: CsvFile): ClusterManifest {
  const { nodes, pods } = read(nodeFile, podFile, POD_COLUMNS);
  return { nodes, pods: pods.map(({ pod }) => pod) };
}

/** The nodes and pods of the trace with the times of the pods. @throws CodedError `InvalidTrace` */
export function openbTrace(nodeFile: CsvFile, podFile: CsvFile) {
  return read(nodeFile, podFile, [...POD_COLUMNS, 'deletion_time']);
}

function read(nodeFile: CsvFile, podFile: CsvFile, podColumns: readonly string[]) {
  const nodes = readNamedRows(nodeFile, NODE_COLUMNS).map(nodeOf);
  const hasDeletion = podColumns.includes('deletion_time');
  const specs: KnownSpecs = new Map();
  const pods = readNamedRows(podFile, podColumns).map((row) => timedPodOf(row, hasDeletion, specs));
  // The sort is stable, so equal times keep their order.
  return { nodes, pods: pods.toSorted((a, b) => a.creationSeconds - b.creationSeconds) };
}

function timedPodOf(row: CsvRow, hasDeletion: boolean, specs: KnownSpecs): OpenbPod {
  const creationSeconds = row.seconds('creation_time');
  const isDeleted = hasDeletion && row.text('deletion_time') !== '';
  const deletionSeconds = isDeleted ? row.seconds('deletion_time') : undefined;
  if (deletionSeconds !== undefined && deletionSeconds < creationSeconds) {
    throw row.error('deletion_time', `${deletionSeconds} is before creation_time ${creationSeconds}`);
  }
  return { pod: podOf(row, specs), creationSeconds, deletionSeconds };
}

function nodeOf(row: CsvRow): Node {
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

/** The specs of valid pods, by what their rows ask for: a trace has thousands of pods, but few kinds of them. */
type KnownSpecs = Map<string, PodSpec>;

function podOf(row: CsvRow, specs: KnownSpecs): Pod {
  const gpuMilli = row.integer('num_gpu') * row.integer('gpu_milli');
  const [cpuMilli, memoryMib] = [row.integer('cpu_milli'), row.integer('memory_mib')];
  const gpuSpec = row.text('gpu_spec');
  const key = `${cpuMilli},${memoryMib},${gpuMilli},${gpuSpec}`;
  const known = specs.get(key);
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
    spec: known ?? specOf(cpuMilli, memoryMib, gpuMilli, gpuSpec),
  };
  row.check(known === undefined ? validatePod(pod) : validatePodOfKnownSpec(pod));
  if (known !== undefined) return pod;
  const complete = defaultPod(pod);
  const spec = frozenCopy(complete.spec ?? {});
  specs.set(key, spec);
  return { ...complete, spec };
}

function specOf(cpuMilli: number, memoryMib: number, gpuMilli: number, gpuSpec: string): PodSpec {
  const models = gpuSpec.split('|').filter((model) => model !== '');
  const requests = {
    cpu: `${cpuMilli}m`,
    memory: `${memoryMib}Mi`,
    ...(gpuMilli > 0 && { [GPU_RESOURCE]: String(gpuMilli) }),
  };
  // The API requires a limit next to the request of an extended resource, since it cannot be overcommitted.
  const limits = gpuMilli > 0 ? { limits: { [GPU_RESOURCE]: String(gpuMilli) } } : {};
  return {
    containers: [{ name: 'main', image: 'openb/task', resources: { requests, ...limits } }],
    ...(models.length > 0 && { affinity: requiredModels(models) }),
  };
}

function requiredModels(models: readonly string[]): NonNullable<PodSpec['affinity']> {
  const term = { matchExpressions: [{ key: GPU_MODEL_LABEL, operator: 'In', values: models }] };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } };
}
