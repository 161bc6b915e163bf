import { checkConfiguration, type Node, type Pod, Scheduler, type SchedulerOptions } from '../../src/index.ts';
import { Prng } from '../../src/lib/prng.ts';
import type { TaskClass } from './fragmentation.ts';
import { fragmentationGradient } from './plugin.ts';

const GPU = 'alibabacloud.com/gpu-milli';
const PLUGIN = 'FragmentationGradient';
export const POLICIES = ['default', 'best-fit', 'gradient'] as const;
export type Policy = (typeof POLICIES)[number];

/** A trace: nodes, and tasks as pods. */
export interface Trace {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
}

/** Share of the cluster's GPUs that is allocated once so much has been asked for, as a share of all GPUs. */
export interface Allocation {
  readonly demand: number;
  readonly allocated: number;
}

/** The commonest kinds of tasks that together make up this share of all. */
export function typicalTasks(pods: readonly Pod[], share = 0.95): TaskClass[] {
  const counts = new Map<string, number>();
  for (const pod of pods) {
    const key = JSON.stringify([cpuOf(pod), gpuOf(pod), modelsOf(pod)]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const kinds = [...counts].sort(([, a], [, b]) => b - a);
  const typical: [string, number][] = [];
  let covered = 0;
  for (const kind of kinds) {
    if (covered >= share * pods.length) break;
    typical.push(kind);
    covered += kind[1];
  }
  return typical.map(([key, count]) => {
    const [cpuMilli, gpuMilli, models] = JSON.parse(key) as [number, number, string[]];
    return { cpuMilli, gpuMilli, models, popularity: count / covered };
  });
}

/**
 * Tasks drawn from the trace ask for room until they have asked for `most` times all GPUs of the cluster; one that does
 * not fit is turned away.
 */
export function inflate(trace: Trace, policy: Policy, seed: number, demands: readonly number[]): Allocation[] {
  const scheduler = schedulerFor(policy, typicalTasks(trace.pods));
  for (const node of trace.nodes) scheduler.addNode(node);
  const capacity = trace.nodes.reduce((sum, { status }) => sum + Number(status?.allocatable?.[GPU] ?? 0), 0);
  const prng = new Prng(seed);
  const allocations: Allocation[] = [];
  let [asked, allocated] = [0, 0];
  for (let i = 0; allocations.length < demands.length; i++) {
    const drawn = trace.pods[prng.below(trace.pods.length)] as Pod;
    const pod = { ...drawn, metadata: { ...drawn.metadata, name: `task-${i}` } };
    const isPlaced = scheduler.schedule(pod).status === 'scheduled';
    asked += gpuOf(pod);
    if (isPlaced) allocated += gpuOf(pod);
    const next = demands[allocations.length] ?? 0;
    if (asked >= next * capacity) allocations.push({ demand: next, allocated: allocated / capacity });
  }
  scheduler.close();
  return allocations;
}

/** Under every policy the plugin's filter counts GPUs one by one. */
export function schedulerFor(
  policy: Policy,
  tasks: readonly TaskClass[],
  options: Pick<SchedulerOptions, 'engine' | 'index'> = {},
): Scheduler {
  const only = (name: string) => ({ disabled: [{ name: '*' }], enabled: [{ name }] });
  const packed = {
    type: 'MostAllocated',
    resources: [
      { name: GPU, weight: 4 },
      { name: 'cpu', weight: 1 },
    ],
  };
  const plugins = { [PLUGIN]: fragmentationGradient };
  const loaded = checkConfiguration(
    {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      percentageOfNodesToScore: 100,
      profiles: [
        {
          plugins: {
            filter: { enabled: [{ name: PLUGIN }] },
            ...(policy === 'gradient' && { score: only(PLUGIN) }),
            ...(policy === 'best-fit' && { score: only('NodeResourcesFit') }),
          },
          pluginConfig: [
            { name: PLUGIN, args: { tasks } },
            ...(policy === 'best-fit' ? [{ name: 'NodeResourcesFit', args: { scoringStrategy: packed } }] : []),
          ],
        },
      ],
    },
    { plugins },
  );
  if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('\n'));
  return new Scheduler({ ...options, plugins, configuration: loaded.configuration, preemption: false });
}

function requestOf({ spec }: Pod, resource: string): string {
  return String(spec?.containers?.[0]?.resources?.requests?.[resource] ?? '0');
}

function gpuOf(pod: Pod): number {
  return Number(requestOf(pod, GPU));
}

/** The trace has thousandths. */
function cpuOf(pod: Pod): number {
  return Number(requestOf(pod, 'cpu').replace('m', ''));
}

function modelsOf({ spec }: Pod): string[] {
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms.flatMap(({ matchExpressions = [] }) => (matchExpressions ?? []).flatMap(({ values }) => values ?? []));
}
