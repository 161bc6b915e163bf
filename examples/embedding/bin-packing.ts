/**
 * A service that packs tasks onto as few machines as possible: Berth decides, and knows nothing of a cluster.
 * MostAllocated scores full machines higher, so that empty ones can be switched off.
 */
import { type Node, type Pod, Scheduler, type SchedulerConfiguration } from 'kube-berth';
import { readConfiguration } from './configuration.js';

export interface Task {
  readonly name: string;
  readonly cpu: string;
  readonly memory: string;
}

export class BinPacking {
  readonly #scheduler: Scheduler;

  constructor(machines: readonly Node[], configuration: SchedulerConfiguration) {
    this.#scheduler = new Scheduler({ configuration });
    for (const machine of machines) this.#scheduler.addNode(machine);
  }

  /** The machine for the task; null if it fits nowhere. */
  place({ name, cpu, memory }: Task): string | null {
    const pod: Pod = {
      metadata: { name, namespace: 'tasks' },
      spec: { containers: [{ name: 'task', resources: { requests: { cpu, memory } } }] },
    };
    const result = this.#scheduler.schedule(pod);
    return result.status === 'scheduled' ? result.node : null;
  }

  finish(name: string): void {
    this.#scheduler.removePod('tasks', name);
  }
}

const packed: SchedulerConfiguration = readConfiguration({
  pluginConfig: [
    {
      name: 'NodeResourcesFit',
      args: {
        scoringStrategy: {
          type: 'MostAllocated',
          resources: [
            { name: 'cpu', weight: 1 },
            { name: 'memory', weight: 1 },
          ],
        },
      },
    },
  ],
  // Balance would spread tasks again.
  plugins: { score: { disabled: [{ name: 'NodeResourcesBalancedAllocation' }] } },
});

const machines: Node[] = ['m1', 'm2', 'm3'].map((name) => ({
  metadata: { name },
  status: { allocatable: { cpu: '8', memory: '32Gi', pods: '110' } },
}));
const service = new BinPacking(machines, packed);
for (const name of ['a', 'b', 'c', 'd', 'e']) {
  console.log(`${name} -> ${service.place({ name, cpu: '2', memory: '4Gi' })}`);
}
service.finish('a');
console.log(`f -> ${service.place({ name: 'f', cpu: '2', memory: '4Gi' })}`);
console.log(`huge -> ${service.place({ name: 'huge', cpu: '64', memory: '4Gi' })}`);
