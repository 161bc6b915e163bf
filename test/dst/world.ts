import { checkConfiguration } from '../../src/caller/load-configuration.ts';
import { Cluster } from '../../src/cluster/cluster.ts';
import { API_VERSION } from '../../src/config/decode/group-version.ts';
import type { PluginRegistry } from '../../src/framework/user-plugin.ts';
import { VirtualEventLoop } from '../../src/lib/event-loop.ts';
import { keyedPrng } from '../../src/lib/keyed-prng.ts';
import type { StoreSchedulerOptions } from '../../src/scheduler/store-scheduler.ts';
import type { PlannedFault } from '../../src/simulation/faults/fault-file.ts';
import { FaultInjector } from '../../src/simulation/faults/fault-injector.ts';
import { FaultyClient } from '../../src/simulation/faults/faulty-client.ts';
import { GuardedHosts } from '../guard/guarded-kernels.ts';
import { actOn } from './act.ts';
import { ERRANDS, ErrandPlugin } from './errand-plugin.ts';
import { Mirror } from './mirror.ts';
import { PlegWitness } from './pleg-witness.ts';
import { RecordingClient } from './recording-client.ts';
import type { Script } from './script/script.ts';
import type { Violated } from './violation.ts';

export const START_MILLIS = Date.UTC(2026, 0, 1);

export interface WorldListeners {
  readonly violated: Violated;
  readonly onError: (error: unknown, activity: string) => void;
  readonly onLogLine: (line: string) => void;
}

/** A whole cluster, with everything that a script says of it, and with eyes everywhere. */
export class World {
  readonly loop = new VirtualEventLoop(START_MILLIS);
  readonly cluster: Cluster;
  readonly mirror: Mirror;
  readonly client: RecordingClient;
  readonly plegs: PlegWitness;
  readonly injector: FaultInjector;
  /** Where the scheduler's kernels and their memory come from. */
  readonly hosts = new GuardedHosts();
  /** `namespace/name` of the pods that the Job controller could not release among all those of a Job. */
  readonly unreleased = new Set<string>();
  readonly #script: Script;
  #faultyClient: FaultyClient | undefined;
  #errands: ErrandPlugin | undefined;
  #busyMillis = 0;
  #openActs = 0;

  constructor(script: Script, listeners: WorldListeners) {
    const { loop } = this;
    const { seed } = script;
    this.#script = script;
    this.plegs = new PlegWitness(listeners.violated);
    let client: RecordingClient | undefined;
    this.cluster = new Cluster({
      ...{ seed, loop, restartableControllers: true, nodeAgents: { seed, onPleg: this.plegs.onPleg } },
      scheduler: this.#schedulerOptions(),
      controllerBusyMillis: () => this.#busyMillis,
      terminatedPodThreshold: seed % 2 === 0 ? 12_500 : 8,
      onError: (error, activity) => {
        const [, podKey] = /^release orphan pod (.*)$/.exec(activity) ?? [];
        if (podKey !== undefined) this.unreleased.add(podKey);
        listeners.onError(error, activity);
      },
      onLogLine: listeners.onLogLine,
      clientOf: (store) => {
        const faulty = new FaultyClient({ client: store, loop, prng: keyedPrng(seed, 'faulty client') });
        this.#faultyClient = faulty;
        client = new RecordingClient({ client: faulty, mirror: () => this.mirror, violated: listeners.violated });
        return client;
      },
    });
    this.client = client as unknown as RecordingClient;
    this.mirror = new Mirror(this.cluster.store);
    this.injector = this.#newInjector();
  }

  get errands(): ErrandPlugin | undefined {
    return this.#errands;
  }

  /** Whether nothing more is done to the cluster from outside. */
  get isPeace(): boolean {
    return this.#openActs === 0 && this.injector.isDone;
  }

  start(): void {
    const { loop, cluster } = this;
    const faults: PlannedFault[] = [];
    cluster.start();
    for (const { atMillis, act } of this.#script.events) {
      if (act.do === 'fault') {
        faults.push({ ...act.fault, times: { atMillis: [atMillis] } });
        continue;
      }
      this.#openActs++;
      loop.after(START_MILLIS + atMillis - loop.nowMillis(), () => {
        this.#openActs--;
        actOn(cluster.store, act);
      });
    }
    this.injector.start(faults, this.#script.seed);
  }

  #schedulerOptions(): StoreSchedulerOptions {
    const { hasErrands, hasGroups, seed } = this.#script;
    const featureGates = {
      ...{ GenericWorkload: hasGroups, GangScheduling: hasGroups },
      DRAWorkloadResourceClaims: hasGroups,
    };
    const options = { tieBreak: 'random', newKernelHost: this.hosts.newHost, featureGates } as const;
    if (!hasErrands) return options;
    const plugins: PluginRegistry = {
      [ERRANDS]: (_, handle) => {
        this.#errands = new ErrandPlugin(handle, keyedPrng(seed, ERRANDS), () => this.isPeace);
        return this.#errands;
      },
    };
    const profiles = [{ plugins: { multiPoint: { enabled: [{ name: ERRANDS }] } } }];
    const source = { apiVersion: API_VERSION, kind: 'KubeSchedulerConfiguration', profiles };
    const loaded = checkConfiguration(source, { plugins });
    if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
    return { ...options, configuration: loaded.configuration, plugins };
  }

  #newInjector(): FaultInjector {
    const { cluster, loop } = this;
    return new FaultInjector({
      targets: {
        client: this.#faultyClient as FaultyClient,
        nodes: cluster.nodeAgents as NonNullable<Cluster['nodeAgents']>,
        labelsOf: () => undefined,
        restartControllers: () => cluster.restartControllers(),
        slowControllers: (millis) => {
          this.#busyMillis += millis;
        },
        endWorker: () => cluster.scheduler?.loseWorker() ?? false,
        sleep: (millis) => loop.sleep(millis),
      },
      loop,
      note: (text) => cluster.log.noted(text),
    });
  }
}
