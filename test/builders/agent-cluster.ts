import type { ContainerStatus, Pod, PodSpec } from '../../src/api/pod.ts';
import { Cluster, type ClusterOptions } from '../../src/cluster/cluster.ts';
import type { NodeAgents } from '../../src/kubelet/agents/node-agents.ts';
import { makeNode, type NodeOptions } from './make-node.ts';

export interface AgentPodOptions {
  readonly nodeName?: string;
  /** Names without `berth.dev/`. */
  readonly behaviour?: Readonly<Record<string, string>>;
  readonly spec?: PodSpec;
}

/** A cluster whose nodes have agents; pods are put on nodes by hand. It has run for two seconds when it is made. */
export class AgentCluster {
  readonly cluster: Cluster;
  readonly lines: string[] = [];
  readonly reported: string[] = [];

  constructor(nodes: Readonly<Record<string, NodeOptions>> = { n1: {} }, options: ClusterOptions = {}) {
    this.cluster = new Cluster({
      nodeAgents: {},
      ...options,
      onLogLine: (line) => this.lines.push(line),
      onError: (error, activity) => this.reported.push(`${activity}: ${(error as Error).message}`),
    });
    for (const [name, node] of Object.entries(nodes)) this.cluster.store.create('nodes', makeNode(name, node));
    this.cluster.start();
    this.runSeconds(2);
  }

  get agents(): NodeAgents {
    return this.cluster.nodeAgents as NodeAgents;
  }

  get seconds(): number {
    return (this.cluster.loop.nowMillis() - Date.UTC(2026, 0, 1)) / 1000;
  }

  runSeconds(seconds: number): void {
    this.cluster.runFor(seconds * 1000);
  }

  /** Runs until it holds, at most so long; the seconds that it took. */
  secondsUntil(holds: () => boolean, limitSeconds = 3600): number {
    const { loop } = this.cluster;
    const startMillis = loop.nowMillis();
    while (!holds()) {
      if (loop.nowMillis() - startMillis > limitSeconds * 1000) throw new Error('it never came to hold');
      this.cluster.runFor(100);
    }
    return (loop.nowMillis() - startMillis) / 1000;
  }

  /** A pod of one container `app`, or of what the spec says. */
  createPod(name: string, { nodeName = 'n1', behaviour = {}, spec }: AgentPodOptions = {}): Pod {
    const annotations = Object.fromEntries(Object.entries(behaviour).map(([key, text]) => [`berth.dev/${key}`, text]));
    return this.cluster.store.create('pods', {
      metadata: { name, namespace: 'default', annotations },
      spec: { nodeName, containers: [{ name: 'app', image: 'app:1' }], ...spec },
    });
  }

  pod(name: string): Pod {
    return this.cluster.store.get('pods', 'default', name);
  }

  exists(name: string): boolean {
    return this.cluster.store.list('pods').items.some(({ metadata }) => metadata?.name === name);
  }

  phase(name: string): string | undefined {
    return this.pod(name).status?.phase;
  }

  condition(name: string, type: string): string | undefined {
    return this.pod(name).status?.conditions?.find((condition) => condition.type === type)?.status;
  }

  container(podName: string, name = 'app'): ContainerStatus {
    const { containerStatuses = [], initContainerStatuses = [] } = this.pod(podName).status ?? {};
    return [...containerStatuses, ...initContainerStatuses].find((status) => status.name === name) ?? { name };
  }

  /** What the log says of the pod: phase, place and what else there is, without repetitions. */
  history(name: string): string[] {
    const states = this.lines.flatMap((line) => {
      const found = / (?:ADDED|MODIFIED|DELETED) pods default\/(\S+) (.*)$/.exec(line);
      return found?.[1] === name ? [found[2] as string] : [];
    });
    return states.filter((state, i) => state !== states[i - 1]);
  }
}
