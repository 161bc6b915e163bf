import type { EventRecorder } from '../client/events/event-recorder.ts';
import type { Informers } from '../client/informer/informers.ts';
import type { ReportError } from '../client/report-error.ts';
import { CronJobController } from '../controllers/cronjob/cron-job-controller.ts';
import { DaemonSetController } from '../controllers/daemonset/daemon-set-controller.ts';
import { DeploymentController } from '../controllers/deployment/deployment-controller.ts';
import { DisruptionController } from '../controllers/disruption/disruption-controller.ts';
import { GarbageCollector } from '../controllers/garbage-collector/garbage-collector.ts';
import { type JobController, newJobController } from '../controllers/job/job-controller.ts';
import { NodeLifecycleController } from '../controllers/node-lifecycle/node-lifecycle-controller.ts';
import { VolumeController } from '../controllers/persistent-volume/volume-controller.ts';
import { newPodGcController, type PodGcController } from '../controllers/podgc/pod-gc-controller.ts';
import { ReplicaSetController } from '../controllers/replicaset/replicaset-controller.ts';
import { StatefulSetController } from '../controllers/statefulset/stateful-set-controller.ts';
import { TaintEvictionController } from '../controllers/taint-eviction/taint-eviction-controller.ts';
import { TtlAfterFinishedController } from '../controllers/ttl-after-finished/ttl-controller.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import type { StoreClient } from '../store/objects/store-client.ts';

export interface ControllerManagerModules {
  readonly client: StoreClient;
  readonly informers: Informers;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
  /** `component`: the reporting component, such as `job-controller`. */
  readonly newRecorder: (component: string) => EventRecorder;
}

export interface ControllerManagerOptions {
  /** How many Jobs may be synced at a time; absent: 5. */
  readonly jobWorkers?: number | undefined;
  /** How many terminated pods are kept; 0 or less: all; absent: 12,500. */
  readonly terminatedPodThreshold?: number | undefined;
  /** How long each sync occupies its worker; absent: no time. */
  readonly controllerBusyMillis?: (() => number) | undefined;
}

interface Controller {
  start(): void;
  stop(): void;
}

/** The controllers of a cluster, as one process: they start together, and lose their state together. */
export class ControllerManager {
  readonly jobController: JobController;
  readonly podGcController: PodGcController;
  readonly garbageCollector: GarbageCollector;
  readonly ttlAfterFinishedController: TtlAfterFinishedController;
  readonly #all: readonly Controller[];

  /** The informers must not have been started yet. */
  constructor(
    { newRecorder, ...shared }: ControllerManagerModules,
    options: ControllerManagerOptions,
    hasNodeAgents: boolean,
  ) {
    const { jobWorkers, terminatedPodThreshold, controllerBusyMillis } = options;
    const modules = { ...shared, busyMillis: controllerBusyMillis };
    this.jobController = newJobController({
      ...modules,
      recorder: newRecorder('job-controller'),
      ...(jobWorkers !== undefined && { workers: jobWorkers }),
    });
    this.podGcController = newPodGcController({
      ...shared,
      ...(terminatedPodThreshold !== undefined && { terminatedPodThreshold }),
    });
    this.garbageCollector = new GarbageCollector(modules);
    this.ttlAfterFinishedController = new TtlAfterFinishedController(modules);
    const replicaSetController = new ReplicaSetController({
      ...modules,
      recorder: newRecorder('replicaset-controller'),
    });
    this.#all = [
      ...[this.jobController, this.podGcController, this.garbageCollector, this.ttlAfterFinishedController],
      ...[replicaSetController, new DisruptionController(modules)],
      new DeploymentController({ ...modules, recorder: newRecorder('deployment-controller') }),
      new StatefulSetController({ ...modules, recorder: newRecorder('statefulset-controller') }),
      new DaemonSetController({ ...modules, recorder: newRecorder('daemonset-controller') }),
      new VolumeController({ ...modules, recorder: newRecorder('persistentvolume-controller') }),
      new CronJobController({ ...modules, recorder: newRecorder('cronjob-controller') }),
    ];
    // These need the heartbeats of nodes.
    if (!hasNodeAgents) return;
    this.#all = [
      ...this.#all,
      new NodeLifecycleController({ ...shared, recorder: newRecorder('node-controller') }),
      new TaintEvictionController({ ...shared, recorder: newRecorder('taint-eviction-controller') }),
    ];
  }

  start(): void {
    for (const controller of this.#all) controller.start();
  }

  stop(): void {
    for (const controller of this.#all) controller.stop();
  }
}
