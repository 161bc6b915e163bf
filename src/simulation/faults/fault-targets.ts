import type { Labels } from '../../api/meta.ts';
import type { NodeAgents } from '../../kubelet/agents/node-agents.ts';
import type { FaultyClient } from './faulty-client.ts';

/** What faults use of `NodeAgents`. */
export type FaultyNodes = Pick<
  NodeAgents,
  'nodeNames' | 'isRunning' | 'crash' | 'restart' | 'partition' | 'heal' | 'setRuntimeFaults'
>;

/** The parts of a cluster that faults act on. */
export interface FaultTargets {
  readonly client: FaultyClient;
  readonly nodes: FaultyNodes;
  readonly labelsOf: (nodeName: string) => Labels | undefined;
  /** Stops the controllers and starts new ones with empty caches. */
  readonly restartControllers: () => void;
  /** Prolongs every sync of a controller by this time; a negative time shortens it again. */
  readonly slowControllers: (millis: number) => void;
  /** Ends a thread that helps the scheduler, if there is one. The decisions must not depend on it. */
  readonly endWorker: () => void;
  /** Moves the clock on while nothing runs. */
  readonly sleep: (millis: number) => void;
}
