import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import { type Informers, podsOfNode, watchPodsByNode } from '../../client/informer/informers.ts';
import type { ReportError } from '../../client/report-error.ts';
import { CodedError } from '../../lib/errors.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import { keyedPrng } from '../../lib/keyed-prng.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import type { NodeClaim } from '../dynamic-resources/claim-manager.ts';
import type { OnPleg } from '../kubelet-options.ts';
import { type BehaviourSettings, Behaviours } from '../simulated-runtime/behaviour.ts';
import type { RuntimeFaults } from '../simulated-runtime/simulated-runtime.ts';
import { TickWheel } from '../tick-wheel.ts';
import { NodeAgent } from './node-agent.ts';

/** The parts of a cluster that node agents use. */
export interface NodeAgentsModules {
  readonly client: StoreClient;
  /** The API without any simulated connection fault. What silent renewals stand for is written through it. */
  readonly directClient: Pick<StoreClient, 'get' | 'update'>;
  readonly informers: Informers;
  readonly loop: EventLoop;
  readonly recorder: EventRecorder;
  readonly reportError: ReportError;
}

/** The options of simulated node agents. */
export interface NodeAgentsOptions {
  /** The seed of container behaviour and of the agents' jitter; a safe integer >= 0, absent: 1. */
  readonly seed?: number | undefined;
  /** The behaviour of containers of an image, unless their pod says otherwise (`Behaviours`). */
  readonly images?: Readonly<Record<string, BehaviourSettings>> | undefined;
  /** The behaviour of all other containers, unless their pod says otherwise. */
  readonly defaults?: BehaviourSettings | undefined;
  /** Selects the nodes that get an agent; absent for all. */
  readonly runsOn?: ((node: Node) => boolean) | undefined;
  /** `silent` (the default): lease renewals are not written. `written`: every renewal is a write. */
  readonly heartbeats?: 'silent' | 'written' | undefined;
  /** Makes agents relist every second and resync every minute, even when nothing can have changed; absent: no. */
  readonly isEager?: boolean | undefined;
  /** Receives the PLEG of every agent that starts, and the channel into its sync loop, for observation. */
  readonly onPleg?: OnPleg | undefined;
}

/** Thrown when no agent runs on the named node. */
export class NodeAgentError extends CodedError<'NoAgent'> {}

/**
 * The agents of all nodes of a cluster: one for each Node object, as long as the object exists. Those without work cost
 * nothing.
 *
 * On demand, nodes crash and restart, are partitioned from the API and healed, and get failing runtimes.
 */
export class NodeAgents {
  readonly #modules: NodeAgentsModules;
  readonly #options: NodeAgentsOptions;
  readonly #seed: number;
  readonly #wheel: TickWheel;
  readonly #behaviours: Behaviours;
  readonly #agents = new Map<string, NodeAgent>();
  /**
   * The number of agents so far. A node that is created again under the same name is another node, with another rank.
   */
  #nextRank = 0;
  #isRunning = false;

  /** The informers must not have been started yet. */
  constructor(modules: NodeAgentsModules, options: NodeAgentsOptions = {}) {
    const { informers, loop } = modules;
    this.#modules = modules;
    this.#options = options;
    this.#seed = options.seed ?? 1;
    this.#wheel = new TickWheel(loop);
    this.#behaviours = new Behaviours({ seed: this.#seed, images: options.images, defaults: options.defaults });
    watchPodsByNode(informers);
    const podHandler = {
      onAdd: (pod: Pod) => this.#agentOf(pod)?.podChanged(undefined, pod),
      onUpdate: (before: Pod, pod: Pod) => this.#agentOf(pod)?.podChanged(before, pod),
      onDelete: (pod: Pod) => this.#agentOf(pod)?.podRemoved(pod),
    };
    informers.of('pods').addHandler(podHandler, { name: 'node agents' });
    const nodeHandler = {
      onAdd: (node: Node) => this.#addNode(node),
      onUpdate: (_: Node, node: Node) => this.#agents.get(node.metadata?.name ?? '')?.nodeChanged(node),
      onDelete: (node: Node) => this.#removeNode(node),
    };
    informers.of('nodes').addHandler(nodeHandler, { name: 'node agents' });
  }

  start(): void {
    this.#isRunning = true;
    for (const agent of this.#agents.values()) agent.start();
  }

  stop(): void {
    this.#isRunning = false;
    for (const agent of this.#agents.values()) agent.stop();
  }

  /** Stops all agents for good, without the last writes that others would read. */
  end(): void {
    this.#isRunning = false;
    for (const agent of this.#agents.values()) agent.end();
  }

  get nodeNames(): string[] {
    return [...this.#agents.keys()];
  }

  isRunning(nodeName: string): boolean {
    return this.#agent(nodeName).isRunning;
  }

  /** The claims that are or will be prepared for pods of the node. @throws NodeAgentError */
  claimsOf(nodeName: string): Iterable<NodeClaim> {
    return this.#agent(nodeName).claims;
  }

  /** Takes the node down: its containers end without any report. @throws NodeAgentError */
  crash(nodeName: string): void {
    this.#agent(nodeName).crash();
  }

  /** Restarts a node that is down, or an agent that was stopped. @throws NodeAgentError */
  restart(nodeName: string): void {
    this.#agent(nodeName).start();
  }

  /** Stops the agent; its containers keep running. @throws NodeAgentError */
  stopAgent(nodeName: string): void {
    this.#agent(nodeName).stop();
  }

  /** Cuts the connection between the node and the API. @throws NodeAgentError */
  partition(nodeName: string): void {
    this.#agent(nodeName).partition();
  }

  /** @throws NodeAgentError */
  heal(nodeName: string): void {
    this.#agent(nodeName).heal();
  }

  /** Sets the faults of the node's runtime from now on; `{}` for none. @throws NodeAgentError */
  setRuntimeFaults(nodeName: string, faults: RuntimeFaults): void {
    this.#agent(nodeName).setRuntimeFaults(faults);
  }

  #agent(nodeName: string): NodeAgent {
    const agent = this.#agents.get(nodeName);
    if (agent === undefined) throw new NodeAgentError('NoAgent', `no agent runs on a node ${nodeName}`);
    return agent;
  }

  #agentOf({ spec }: Pod): NodeAgent | undefined {
    return spec?.nodeName === undefined ? undefined : this.#agents.get(spec.nodeName);
  }

  #addNode(node: Node): void {
    const nodeName = node.metadata?.name ?? '';
    if (this.#options.runsOn?.(node) === false) return;
    const { informers, client, directClient, loop, recorder, reportError } = this.#modules;
    const { isEager = false, heartbeats = 'silent', onPleg } = this.#options;
    const nodes = informers.of('nodes').lister;
    const pods = informers.of('pods').lister;
    const agent = new NodeAgent(
      {
        client,
        directClient,
        loop,
        recorder,
        reportError,
        wheel: this.#wheel,
        behaviours: this.#behaviours,
        node: () => nodes.get('', nodeName),
        pods: () => podsOfNode(pods, nodeName),
      },
      {
        nodeName,
        rank: this.#nextRank++,
        seed: this.#seed,
        // The phases of the agents are spread over the second, so that they do not all tick at the same moment.
        phaseMillis: keyedPrng(this.#seed, nodeName).below(1000),
        isEager,
        isSilent: heartbeats === 'silent',
        onPleg,
      },
    );
    this.#agents.set(nodeName, agent);
    if (this.#isRunning) agent.start();
  }

  #removeNode({ metadata }: Node): void {
    const name = metadata?.name ?? '';
    this.#agents.get(name)?.crash();
    this.#agents.delete(name);
  }
}
