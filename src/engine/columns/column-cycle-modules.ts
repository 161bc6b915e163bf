import type { EngineModules } from '../index/engine-modules.ts';
import type { NodeEnv } from '../index/node-env.ts';
import type { ResourceKernels } from '../index/resource-kernels.ts';
import type { NodeAttributes } from '../verdicts/node-attributes.ts';
import type { NodeLookSets } from '../verdicts/node-looks.ts';
import type { KeptRejections } from './kept-rejections.ts';
import type { NominatedNodes } from './nominated-nodes.ts';

/** The modules that the steps of a cycle over columns share. */
export interface ColumnCycleModules extends EngineModules {
  readonly resourceKernels: ResourceKernels;
  readonly attributes: NodeAttributes;
  readonly looks: NodeLookSets;
  readonly rejections: KeptRejections;
  readonly nominatedNodes: NominatedNodes;
  /** Tells whether slots are in the order in which their nodes were added. */
  readonly env: Pick<NodeEnv, 'isOrdered'>;
}
