import type { EventRecorder } from '../client/events/event-recorder.ts';
import type { Informers } from '../client/informer/informers.ts';
import type { ReportError } from '../client/report-error.ts';
import type { FeatureGates } from '../config/feature-gates.ts';
import { CronJobController } from '../controllers/cronjob/cron-job-controller.ts';
import { DaemonSetController } from '../controllers/daemonset/daemon-set-controller.ts';
import { DeploymentController } from '../controllers/deployment/deployment-controller.ts';
import { DeviceTaintEvictionController } from '../controllers/device-taint-eviction/eviction-controller.ts';
import { DisruptionController } from '../controllers/disruption/disruption-controller.ts';
import { GarbageCollector } from '../controllers/garbage-collector/garbage-collector.ts';
import { type JobController, newJobController } from '../controllers/job/job-controller.ts';
import { NodeLifecycleController } from '../controllers/node-lifecycle/node-lifecycle-controller.ts';
import { VolumeController } from '../controllers/persistent-volume/volume-controller.ts';
import { PodGroupProtectionController } from '../controllers/pod-group-protection/pod-group-protection-controller.ts';
import { newPodGcController, type PodGcController } from '../controllers/podgc/pod-gc-controller.ts';
import { ReplicaSetController } from '../controllers/replicaset/replicaset-controller.ts';
import { ResourceClaimController } from '../controllers/resource-claim/resource-claim-controller.ts';
import { StatefulSetController } from '../controllers/statefulset/stateful-set-controller.ts';
import { TaintEvictionController } from '../controllers/taint-eviction/taint-eviction-controller.ts';
import { TtlAfterFinishedController } from '../controllers/ttl-after-finished/ttl-controller.ts';
import { assert } from '../lib/assert.ts';
import type { EventLoop } from '../lib/event-loop.ts';
import type { StoreClient } from '../store/objects/store-client.ts';
import { type ControllerName, isControllerEnabled } from './controller-names.ts';

export interface ControllerManagerModules {
  readonly client: StoreClient;
  readonly informers: Informers;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
  /** `component`: the reporting component, such as `job-controller`. */
  readonly newRecorder: (component: string) => EventRecorder;
}

/** The options of the controllers of a cluster. */
export interface ControllerManagerOptions {
  /** How many Jobs may be synced at a time; absent: 5. */
  readonly jobWorkers?: number | undefined;
  /** How many terminated pods are kept; 0 or less: all; absent: 12,500. */
  readonly terminatedPodThreshold?: number | undefined;
  /**
   * Which controllers run, by their names of kube-controller-manager, as its flag has them: `*` stands for all that run
   * by default, `-job-controller` excludes one. Absent: all that run by default.
   */
  readonly controllers?: readonly string[] | undefined;
  /** How long each sync occupies its worker; absent: no time. */
  readonly controllerBusyMillis?: (() => number) | undefined;
}

/** What decides which controllers there are. */
export interface ControllerSurroundings {
  readonly hasNodeAgents: boolean;
  readonly gates: FeatureGates;
}

interface Controller {
  start(): void;
  stop(): void;
}

/** The controllers that need the heartbeats of node agents: without these they run only if they are named. */
const OF_HEARTBEATS: readonly ControllerName[] = ['node-lifecycle-controller', 'taint-eviction-controller'];

/** The controllers that run only with a feature gate. */
const GATES: Partial<Readonly<Record<ControllerName, keyof FeatureGates>>> = {
  'device-taint-eviction-controller': 'DRADeviceTaints',
  'podgroup-protection-controller': 'GenericWorkload',
};

/** The controllers of a cluster, as one process: they start together, and lose their state together. */
export class ControllerManager {
  readonly #all = new Map<ControllerName, Controller>();

  /** The informers must not have been started yet. */
  constructor(
    { newRecorder, ...shared }: ControllerManagerModules,
    options: ControllerManagerOptions,
    { hasNodeAgents, gates }: ControllerSurroundings,
  ) {
    const { controllers = ['*'] } = options;
    for (const [name, newController] of controllerTable(shared, newRecorder, options, gates)) {
      const gate = GATES[name];
      if (gate !== undefined && !gates[gate]) continue;
      const isDefault = hasNodeAgents || !OF_HEARTBEATS.includes(name);
      if (isControllerEnabled(name, controllers, isDefault)) this.#all.set(name, newController());
    }
  }

  get jobController(): JobController {
    return this.#running('job-controller');
  }

  get podGcController(): PodGcController {
    return this.#running('pod-garbage-collector-controller');
  }

  get garbageCollector(): GarbageCollector {
    return this.#running('garbage-collector-controller');
  }

  get ttlAfterFinishedController(): TtlAfterFinishedController {
    return this.#running('ttl-after-finished-controller');
  }

  start(): void {
    for (const controller of this.#all.values()) controller.start();
  }

  stop(): void {
    for (const controller of this.#all.values()) controller.stop();
  }
  #running<T extends Controller>(name: ControllerName): T {
    const controller = this.#all.get(name);
    assert(controller !== undefined, `${name} was asked to run`);
    return controller as T;
  }
}

type Shared = Omit<ControllerManagerModules, 'newRecorder'>;
type ControllerTable = readonly (readonly [ControllerName, () => Controller])[];

/** All controllers, in the order in which they are made: each draws from the seed of the cluster. */
function controllerTable(
  shared: Shared,
  newRecorder: ControllerManagerModules['newRecorder'],
  { jobWorkers, terminatedPodThreshold, controllerBusyMillis }: ControllerManagerOptions,
  { DRAWorkloadResourceClaims: groupsOwnClaims }: FeatureGates,
): ControllerTable {
  const modules = { ...shared, busyMillis: controllerBusyMillis };
  const recording = (component: string) => ({ ...modules, recorder: newRecorder(component) });
  const workers = jobWorkers === undefined ? {} : { workers: jobWorkers };
  const threshold = terminatedPodThreshold === undefined ? {} : { terminatedPodThreshold };
  return [
    ['job-controller', () => newJobController({ ...recording('job-controller'), ...workers })],
    ['pod-garbage-collector-controller', () => newPodGcController({ ...shared, ...threshold })],
    ['garbage-collector-controller', () => new GarbageCollector(modules)],
    ['ttl-after-finished-controller', () => new TtlAfterFinishedController(modules)],
    ['replicaset-controller', () => new ReplicaSetController(recording('replicaset-controller'))],
    ['disruption-controller', () => new DisruptionController(modules)],
    ['deployment-controller', () => new DeploymentController(recording('deployment-controller'))],
    ['statefulset-controller', () => new StatefulSetController(recording('statefulset-controller'))],
    ['daemonset-controller', () => new DaemonSetController(recording('daemonset-controller'))],
    ['persistentvolume-binder-controller', () => new VolumeController(recording('persistentvolume-controller'))],
    ['cronjob-controller', () => new CronJobController(recording('cronjob-controller'))],
    [
      'resourceclaim-controller',
      () => new ResourceClaimController({ ...recording('resource_claim'), groupsOwnClaims }),
    ],
    [
      'node-lifecycle-controller',
      () => new NodeLifecycleController({ ...shared, recorder: newRecorder('node-controller') }),
    ],
    [
      'taint-eviction-controller',
      () => new TaintEvictionController({ ...shared, recorder: newRecorder('taint-eviction-controller') }),
    ],
    [
      'device-taint-eviction-controller',
      () => {
        const recorder = lateRecorder(() => newRecorder('device-taint-eviction-controller'));
        return new DeviceTaintEvictionController({ ...modules, recorder, groupsOwnClaims });
      },
    ],
    ['podgroup-protection-controller', () => new PodGroupProtectionController(shared)],
  ];
}

/** A recorder that is made for its first event, so that a cluster without such events draws from its seed as before. */
function lateRecorder(newRecorder: () => EventRecorder): EventRecorder {
  let made: EventRecorder | undefined;
  return {
    event(...event) {
      made ??= newRecorder();
      made.event(...event);
    },
  };
}
