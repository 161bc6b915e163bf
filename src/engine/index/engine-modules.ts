import type { ClusterState } from '../../framework/cluster/cluster-state.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import type { Kernels } from '../../kernels/abi.ts';
import type { NodeColumns } from '../../memory/node-columns.ts';
import type { SharedMemory } from '../../memory/shared-memory.ts';
import type { TaskRunner } from '../../pool/task-runner.ts';

/**
 * The modules that the parts of an engine over columns share. Literals that add to them name what they add first:
 * otherwise each object has a hidden class of its own (see `combined`).
 */
export interface EngineModules {
  readonly kernels: Kernels;
  readonly memory: SharedMemory;
  readonly columns: NodeColumns;
  readonly framework: Framework;
  readonly cluster: ClusterState;
  /** The runner of programs over all nodes. */
  readonly runner: TaskRunner;
}
