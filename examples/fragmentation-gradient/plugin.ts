import type {
  CycleState,
  FilterPlugin,
  NodeColumnsView,
  NodeInfo,
  PluginFactory,
  PluginStatus,
  Pod,
  PodInfo,
  ScorePlugin,
} from '../../src/index.ts';
import { fitsGpus, gradientScore, MOST_GPUS, type Room, type TaskClass, take, WHOLE_GPU } from './fragmentation.ts';

const NAME = 'FragmentationGradient';
const GPU = 'alibabacloud.com/gpu-milli';
const MODEL_LABEL = 'alibabacloud.com/gpu-card-model';
const NO_GPU: PluginStatus = { code: 'Unschedulable', reasons: ['node(s) had no GPU with enough left'] };

/**
 * Schedules towards the steepest descent of GPU fragmentation (USENIX ATC '23), and looks at GPUs one by one, where
 * NodeResourcesFit only sees their sum. Arguments: `tasks`, the workload to expect.
 *
 * Which GPUs a pod has follows from the pods of its node, in their order: nothing has to be noted or taken back, and
 * the scheduler knows that only a node whose pods have changed can be another. The column functions do the same work
 * as the methods, on numbers that the scheduler keeps for every node.
 */
class FragmentationGradient implements FilterPlugin, ScorePlugin {
  readonly name = NAME;
  readonly filterReads = 'nodePods';
  readonly scoreReads = 'nodePods';
  readonly columns: Readonly<Record<string, (node: NodeInfo) => number>>;
  readonly #workload: readonly TaskClass[];
  readonly #models: string[] = [''];
  readonly #layouts = new WeakMap<NodeInfo, Layout>();
  readonly #scratch: Room = { cpuMilli: 0, gpus: new Float64Array(MOST_GPUS), model: '' };

  constructor(workload: readonly TaskClass[]) {
    this.#workload = workload;
    const gpuColumns = Array.from({ length: MOST_GPUS }, (_, i) => {
      return [`gpu${i}`, (node: NodeInfo) => this.#layoutOf(node).gpus[i] ?? 0] as const;
    });
    this.columns = { ...Object.fromEntries(gpuColumns), model: (node) => this.#modelNumber(modelOf(node)) };
  }

  dependsOn({ spec }: { readonly spec: NonNullable<Pod['spec']> }): unknown {
    return spec.containers?.map(({ resources }) => resources);
  }

  filter(_state: CycleState, pod: PodInfo, node: NodeInfo): PluginStatus | null {
    return fitsGpus(this.#layoutOf(node).gpus, demandOf(pod).gpuMilli) ? null : NO_GPU;
  }

  score(_state: CycleState, pod: PodInfo, node: NodeInfo): number {
    const room = this.#scratch;
    room.gpus.set(this.#layoutOf(node).gpus);
    room.cpuMilli = Number(node.allocatable.milliCPU) - Number(node.requested.milliCPU);
    room.model = modelOf(node);
    return gradientScore(room, demandOf(pod), this.#workload);
  }

  columnStatuses(): readonly PluginStatus[] {
    return [NO_GPU];
  }

  filterColumns(pod: PodInfo, nodes: NodeColumnsView, out: Uint8Array, from: number, to: number): void {
    const { gpuMilli } = demandOf(pod);
    const gpus = gpuColumnsOf(nodes);
    for (let slot = from; slot < to; slot++) out[slot] = fitsGpus(this.#gpusAt(gpus, slot), gpuMilli) ? 0 : 1;
  }

  scoreColumns(pod: PodInfo, nodes: NodeColumnsView, out: Int32Array, from: number, to: number): void {
    const demand = demandOf(pod);
    const gpus = gpuColumnsOf(nodes);
    const { allocatable, requested } = nodes.resource('cpu');
    const models = nodes.own('model');
    const room = this.#scratch;
    for (let slot = from; slot < to; slot++) {
      this.#gpusAt(gpus, slot);
      room.cpuMilli = (allocatable[slot] ?? 0) - (requested[slot] ?? 0);
      room.model = this.#models[models[slot] ?? 0] ?? '';
      out[slot] = gradientScore(room, demand, this.#workload);
    }
  }

  #gpusAt(columns: readonly Float64Array[], slot: number): Float64Array {
    const { gpus } = this.#scratch;
    for (let i = 0; i < MOST_GPUS; i++) gpus[i] = columns[i]?.[slot] ?? 0;
    return gpus;
  }

  /** What is left of each GPU once the node's pods have theirs. Pods that came are added to what is known. */
  #layoutOf(node: NodeInfo): Layout {
    const known = this.#layouts.get(node);
    const isCurrent = known?.node === node.node && known.pods.every((pod, i) => pod === node.pods[i]);
    const layout = isCurrent ? known : emptyLayout(node);
    for (const pod of node.pods.slice(layout.pods.length)) {
      take(layout, demandOf(pod), this.#workload);
      layout.pods.push(pod);
    }
    this.#layouts.set(node, layout);
    return layout;
  }

  #modelNumber(model: string): number {
    const known = this.#models.indexOf(model);
    return known >= 0 ? known : this.#models.push(model) - 1;
  }
}

interface Layout extends Room {
  readonly node: NodeInfo['node'];
  readonly pods: PodInfo[];
}

function emptyLayout(node: NodeInfo): Layout {
  const count = Math.min(MOST_GPUS, Math.floor(Number(node.allocatable.scalar.get(GPU) ?? 0) / WHOLE_GPU));
  const gpus = new Float64Array(MOST_GPUS).fill(WHOLE_GPU, 0, count);
  return { node: node.node, pods: [], gpus, cpuMilli: Number(node.allocatable.milliCPU), model: modelOf(node) };
}

function demandOf({ requirements }: PodInfo): { cpuMilli: number; gpuMilli: number } {
  const { milliCPU, scalar } = requirements.requests;
  return { cpuMilli: Number(milliCPU), gpuMilli: Number(scalar.get(GPU) ?? 0) };
}

function modelOf({ node }: NodeInfo): string {
  return node.metadata?.labels?.[MODEL_LABEL] ?? '';
}

function gpuColumnsOf(nodes: NodeColumnsView): Float64Array[] {
  return Array.from({ length: MOST_GPUS }, (_, i) => nodes.own(`gpu${i}`));
}

export const fragmentationGradient: PluginFactory = (args) => {
  const { tasks } = (args ?? {}) as { readonly tasks?: readonly TaskClass[] };
  if (!Array.isArray(tasks) || tasks.length === 0) throw new Error('args.tasks: the workload to expect is missing');
  return new FragmentationGradient(tasks);
};
