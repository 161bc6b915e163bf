import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import type { Kernels } from '../../kernels/abi.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import type { TaskRunner } from '../../pool/task-runner.ts';
import type { ResourceKernels } from '../index/resource-kernels.ts';

/** The modules that the steps of a cycle over columns share. */
export interface ColumnCycleModules {
  readonly kernels: Kernels;
  readonly framework: Framework;
  readonly cluster: ClusterState;
  readonly memory: SharedMemory;
  readonly columns: NodeColumns;
  readonly resourceKernels: ResourceKernels;
  readonly runner: TaskRunner;
}
