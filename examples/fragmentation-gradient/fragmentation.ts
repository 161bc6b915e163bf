/**
 * How much of a node's GPUs is of no use, from "Beware of Fragmentation: Scheduling GPU-Sharing Workloads with
 * Fragmentation Gradient Descent" (USENIX ATC '23), section 3.
 */

/** A GPU has so many thousandths; a task that shares one asks for fewer. */
export const WHOLE_GPU = 1000;
export const MOST_GPUS = 8;

/** A kind of task, and which share of all tasks is of it. */
export interface TaskClass {
  readonly cpuMilli: number;
  /** Below 1000: a piece of one GPU; otherwise whole GPUs. */
  readonly gpuMilli: number;
  /** GPU models that it may run on; empty: any. */
  readonly models: readonly string[];
  readonly popularity: number;
}

/** What is left of a node. */
export interface Room {
  cpuMilli: number;
  /** Thousandths left of each GPU. */
  readonly gpus: Float64Array;
  /** '' for a node without GPUs. */
  model: string;
}

export function hasRoomFor({ cpuMilli, gpus, model }: Room, task: Omit<TaskClass, 'popularity'>): boolean {
  if (cpuMilli < task.cpuMilli) return false;
  if (task.models.length > 0 && !task.models.includes(model)) return false;
  return fitsGpus(gpus, task.gpuMilli);
}

export function fitsGpus(gpus: Float64Array, gpuMilli: number): boolean {
  if (gpuMilli === 0) return true;
  const each = Math.min(gpuMilli, WHOLE_GPU);
  let missing = Math.ceil(gpuMilli / WHOLE_GPU);
  for (const free of gpus) if (free >= each) missing--;
  return missing <= 0;
}

/**
 * The expected amount of GPU on the node, in thousandths, that a task of the workload cannot use: all that is left,
 * where the task does not fit, or wants no GPU; otherwise the pieces that are too small for it.
 */
export function fragmentation(room: Room, workload: readonly TaskClass[]): number {
  const { gpus } = room;
  let left = 0;
  for (const free of gpus) left += free;
  if (left === 0) return 0;
  let sum = 0;
  for (const task of workload) {
    if (task.gpuMilli === 0 || !hasRoomFor(room, task)) {
      sum += task.popularity * left;
      continue;
    }
    const each = Math.min(task.gpuMilli, WHOLE_GPU);
    for (const free of gpus) if (free < each) sum += task.popularity * free;
  }
  return sum;
}

/** Takes what the task asks for, a piece from the GPU where that leaves the least fragmentation. */
export function take(room: Room, task: Pick<TaskClass, 'cpuMilli' | 'gpuMilli'>, workload: readonly TaskClass[]): void {
  const { gpus } = room;
  room.cpuMilli -= task.cpuMilli;
  if (task.gpuMilli >= WHOLE_GPU) {
    let missing = Math.ceil(task.gpuMilli / WHOLE_GPU);
    for (let i = 0; i < gpus.length && missing > 0; i++) {
      if (gpus[i] !== WHOLE_GPU) continue;
      gpus[i] = 0;
      missing--;
    }
  } else if (task.gpuMilli > 0) {
    const gpu = bestGpu(room, task.gpuMilli, workload);
    if (gpu >= 0) gpus[gpu] = (gpus[gpu] ?? 0) - task.gpuMilli;
  }
}

/** -1 when none has so much left. */
function bestGpu(room: Room, gpuMilli: number, workload: readonly TaskClass[]): number {
  const { gpus } = room;
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < gpus.length; i++) {
    const free = gpus[i] ?? 0;
    // GPUs with as much left are all the same.
    if (free < gpuMilli || gpus.indexOf(free) < i) continue;
    gpus[i] = free - gpuMilli;
    const after = fragmentation(room, workload);
    gpus[i] = free;
    if (after < least) {
      least = after;
      best = i;
    }
  }
  return best;
}

/** 0 to 100: 50 when the task leaves fragmentation as it is, more when it lessens it. `room` is used up. */
export function gradientScore(
  room: Room,
  task: Pick<TaskClass, 'cpuMilli' | 'gpuMilli'>,
  workload: readonly TaskClass[],
) {
  const before = fragmentation(room, workload);
  take(room, task, workload);
  const lessened = (before - fragmentation(room, workload)) / WHOLE_GPU;
  return Math.trunc(100 / (1 + Math.exp(-lessened)));
}
