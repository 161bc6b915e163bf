import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import type { ReportError } from '../../client/report-error.ts';
import { assert } from '../../lib/assert.ts';
import { ApiError } from '../../store/objects/api-error.ts';
import { findObject } from '../../store/objects/find-object.ts';
import type { Resource, Resources } from '../../store/objects/resources.ts';
import type { DeleteOptions, StatusOutcome, StoreClient } from '../../store/objects/store-client.ts';
import { ClaimManager, type NodeClaim } from '../dynamic-resources/claim-manager.ts';
import { Kubelet } from '../kubelet.ts';
import type { KubeletModules, KubeletOptions } from '../kubelet-options.ts';
import { type HeartbeatModules, type HeartbeatOptions, NodeHeartbeat } from '../node/heartbeat.ts';
import type { PlegHealth } from '../pleg/generic-pleg.ts';
import type { Behaviours } from '../simulated-runtime/behaviour.ts';
import { type RuntimeFaults, SimulatedRuntime } from '../simulated-runtime/simulated-runtime.ts';
import { IdleKubelet } from './idle-kubelet.ts';

export interface NodeAgentModules extends Pick<KubeletModules, 'loop' | 'wheel' | 'recorder' | 'reportError' | 'node'> {
  readonly client: StoreClient;
  readonly directClient: HeartbeatModules['directClient'];
  readonly behaviours: Behaviours;
  readonly pods: () => readonly Pod[];
}

export type NodeAgentOptions = Omit<KubeletOptions, 'hostIp' | 'listMillis'> & HeartbeatOptions;

/**
 * A node: its container runtime, which persists, and its kubelet, which may be stopped and started again.
 *
 * ```
 *               crash                          restart
 *   running ───────────▶ down: nothing runs ────────────▶ running: containers are started again
 *      │     partition                                heal
 *      └───────────────▶ running, but cut off from the API ───────────────────────────────────▶ running
 * ```
 */
export class NodeAgent {
  readonly #modules: NodeAgentModules;
  readonly #options: NodeAgentOptions;
  readonly #runtime: SimulatedRuntime;
  readonly #claims: ClaimManager;
  readonly #client: AgentClient;
  /** The kubelet, from the first moment on at which it has something to do. */
  #kubelet: Kubelet | undefined;
  /** What stands for the kubelet until then. */
  #idle: IdleKubelet | undefined;
  #heartbeat: NodeHeartbeat | undefined;
  #isPartitioned = false;
  #sandboxCount = 0;

  constructor(modules: NodeAgentModules, options: NodeAgentOptions) {
    const { loop, behaviours } = modules;
    this.#modules = modules;
    this.#options = options;
    this.#client = new ReachableClient(modules.client, () => !this.#isPartitioned);
    this.#runtime = new SimulatedRuntime({ loop, behaviours, newIp: () => this.#newIp() });
    this.#claims = new ClaimManager({ client: this.#client, loop, faults: () => this.#runtime.faults });
    this.#runtime.onChange = (podUid) => this.#kubelet?.runtimeChanged(podUid);
  }

  /** The claims that are or will be prepared for pods of the node. */
  get claims(): Iterable<NodeClaim> {
    return this.#claims.claims;
  }

  get isRunning(): boolean {
    return this.#heartbeat !== undefined;
  }

  start(): void {
    if (this.isRunning) return;
    const { loop, wheel, directClient } = this.#modules;
    const { isSilent, nodeName } = this.#options;
    const pods = this.#isPartitioned ? [] : this.#modules.pods();
    if (pods.length === 0 && this.#canBeIdle) {
      this.#idle = new IdleKubelet({ loop, wheel }, this.#options);
    } else {
      this.#kubelet = this.#newKubelet();
    }
    this.#heartbeat = new NodeHeartbeat(
      {
        client: this.#client,
        loop,
        reportError: this.#reportUnlessPartitioned,
        directClient,
        health: () => this.#health(),
        isTroubled: () => this.#isListingTroubled,
      },
      { nodeName, isSilent },
    );
    this.#kubelet?.start(pods);
    if (!this.#isPartitioned) this.#heartbeat.start();
  }

  /** Stops the kubelet; containers keep running. */
  stop(): void {
    this.#heartbeat?.stop();
    this.end();
  }

  /** Stops as `stop`, at the end of the whole cluster: nobody will read when the lease was last renewed. */
  end(): void {
    this.#heartbeat?.end();
    this.#kubelet?.stop();
    this.#idle?.end();
    this.#heartbeat = undefined;
    this.#kubelet = undefined;
    this.#idle = undefined;
  }

  /** Takes the whole node down. */
  crash(): void {
    this.stop();
    this.#runtime.crash();
    this.#claims.reset();
  }

  partition(): void {
    if (this.#isPartitioned) return;
    this.#heartbeat?.stop();
    this.#isPartitioned = true;
  }

  heal(): void {
    if (!this.#isPartitioned) return;
    this.#isPartitioned = false;
    this.#heartbeat?.start();
    const pods = this.#modules.pods();
    if (pods.length > 0) this.#awake()?.setPods(pods);
    else this.#kubelet?.setPods(pods);
  }

  setRuntimeFaults(faults: RuntimeFaults): void {
    this.#awake();
    this.#runtime.faults = faults;
    // A runtime that cannot list its pods makes the node unready after a while, without any further event.
    this.#heartbeat?.check();
  }

  podChanged(before: Pod | undefined, pod: Pod): void {
    if (!this.#isPartitioned) this.#awake()?.podChanged(before, pod);
  }

  podRemoved(pod: Pod): void {
    if (!this.#isPartitioned) this.#awake()?.podRemoved(pod);
  }

  nodeChanged(node: Node): void {
    if (!this.#isPartitioned) this.#heartbeat?.nodeChanged(node);
  }

  readonly #reportUnlessPartitioned: ReportError = (error, activity) => {
    if (!this.#isPartitioned) this.#modules.reportError(error, activity);
  };

  /** Whether a kubelet without pods would have nothing to do. */
  get #canBeIdle(): boolean {
    const { isEager, onPleg } = this.#options;
    const isWatched = isEager || onPleg !== undefined;
    return !isWatched && this.#runtime.isEmpty && this.#claims.isEmpty && !this.#isListingTroubled;
  }

  /** The kubelet of a node that has something to do; undefined when the agent does not run. */
  #awake(): Kubelet | undefined {
    const idle = this.#idle;
    if (idle === undefined) return this.#kubelet;
    this.#idle = undefined;
    this.#kubelet = this.#newKubelet();
    this.#kubelet.resume(idle.end());
    return this.#kubelet;
  }

  #newKubelet(): Kubelet {
    const { loop, wheel, recorder, node } = this.#modules;
    const { rank, seed, phaseMillis, isEager, onPleg } = this.#options;
    const client = this.#client;
    const runtime = this.#runtime;
    const hostIp = `192.168.${(rank >> 8) & 255}.${rank & 255}`;
    return new Kubelet(
      {
        client,
        loop,
        reportError: this.#reportUnlessPartitioned,
        wheel,
        recorder,
        node,
        runtime,
        claims: this.#claims,
      },
      { rank, seed, phaseMillis, isEager, onPleg, hostIp, listMillis: () => runtime.faults.listMillis ?? 0 },
    );
  }

  #health(): PlegHealth {
    const health = this.#idle?.health() ?? this.#kubelet?.health();
    assert(health !== undefined, 'an agent that runs has a kubelet');
    return health;
  }

  /** Whether listing fails or takes time, so that the agent will become unhealthy after a while. */
  get #isListingTroubled(): boolean {
    const { listError, listMillis } = this.#runtime.faults;
    return Boolean(listError) || Boolean(listMillis);
  }

  /** Returns the next address. A node has 2^14 addresses, and nodes share none unless there are more than 2^10. */
  #newIp(): string {
    const number = (this.#options.rank * 2 ** 14 + (this.#sandboxCount++ % 2 ** 14)) % 2 ** 24;
    return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
  }
}

/** The API calls that a node agent makes. */
export type AgentClient = Pick<StoreClient, 'get' | 'find' | 'create' | 'update' | 'updateStatus' | 'delete'>;

/** A client that fails while the agent cannot reach the API. */
class ReachableClient implements AgentClient {
  readonly #client: StoreClient;
  readonly #isReachable: () => boolean;

  constructor(client: StoreClient, isReachable: () => boolean) {
    this.#client = client;
    this.#isReachable = isReachable;
  }

  get<R extends Resource>(resource: R, namespace: string, name: string): Resources[R] {
    return this.#reached().get(resource, namespace, name);
  }

  find<R extends Resource>(resource: R, namespace: string, name: string): Resources[R] | undefined {
    return findObject(this.#reached(), resource, namespace, name);
  }

  create<R extends Resource>(resource: R, object: Resources[R]): Resources[R] {
    return this.#reached().create(resource, object);
  }

  update<R extends Resource>(resource: R, object: Resources[R]): Resources[R] {
    return this.#reached().update(resource, object);
  }

  updateStatus<R extends Resource>(resource: R, object: Resources[R], outcome?: StatusOutcome): Resources[R] {
    return this.#reached().updateStatus(resource, object, outcome);
  }

  delete(resource: Resource, namespace: string, name: string, options?: DeleteOptions): void {
    this.#reached().delete(resource, namespace, name, options);
  }

  #reached(): StoreClient {
    if (this.#isReachable()) return this.#client;
    throw new ApiError('ServiceUnavailable', 'the API cannot be reached from this node');
  }
}
