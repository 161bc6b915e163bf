import type { RuntimeFaults } from '../../kubelet/simulated-runtime/simulated-runtime.ts';
import type { FaultyClient } from './faulty-client.ts';

/** The methods of `NodeAgents` that faults use. */
export interface FaultyNodes {
  readonly nodeNames: readonly string[];
  isRunning(nodeName: string): boolean;
  crash(nodeName: string): void;
  restart(nodeName: string): void;
  partition(nodeName: string): void;
  heal(nodeName: string): void;
  setRuntimeFaults(nodeName: string, faults: RuntimeFaults): void;
}

/** The parts of a cluster that faults act on. */
export interface FaultTargets {
  readonly client: FaultyClient;
  readonly nodes: FaultyNodes;
  /** Stops the controllers and starts new ones with empty caches. */
  readonly restartControllers: () => void;
  /** Prolongs every sync of a controller by this time; a negative time shortens it again. */
  readonly slowControllers: (millis: number) => void;
  /** Ends a thread that helps the scheduler, if there is one. The decisions must not depend on it. */
  readonly endWorker: () => void;
  /** Moves the clock on while nothing runs. */
  readonly sleep: (millis: number) => void;
}
