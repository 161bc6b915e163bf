import type { RuntimeFaults } from '../../kubelet/simulated-runtime/simulated-runtime.ts';
import type { FaultyClient } from './faulty-client.ts';

/** Node agents, as far as faults touch them. `NodeAgents` are. */
export interface FaultyNodes {
  readonly nodeNames: readonly string[];
  isRunning(nodeName: string): boolean;
  crash(nodeName: string): void;
  restart(nodeName: string): void;
  partition(nodeName: string): void;
  heal(nodeName: string): void;
  setRuntimeFaults(nodeName: string, faults: RuntimeFaults): void;
}

/** What faults act on. */
export interface FaultTargets {
  readonly client: FaultyClient;
  readonly nodes: FaultyNodes;
  /** The controllers end, and begin again without what they knew. */
  readonly restartControllers: () => void;
  /** A worker of a controller is taken up by each sync so much longer (or shorter). */
  readonly slowControllers: (millis: number) => void;
  /** A thread that helps the scheduler ends, where there is one: nothing else may depend on it. */
  readonly endWorker: () => void;
  /** The clock goes on while nothing runs. */
  readonly sleep: (millis: number) => void;
}
