import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { timeAtMillis } from '../../api/time.ts';
import type { Answer, ApiRequest } from '../../apiserver/context/context.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { JsonObject } from '../../kinds/object/json.ts';
import { methodNotAllowed, notFound } from '../../kinds/object/refusals.ts';
import type { PacedEventLoop } from '../../lib/paced-event-loop.ts';
import { NodeUsage, offered } from './node-usage.ts';
import { explanationOf } from './pod-explanation.ts';

const OVERVIEW_PATH = '/berth/overview';
const EXPLAIN_PATH = '/berth/explain';
/** The pending pods that are shown; all are counted. */
const PENDING_SHOWN = 200;

/** What the page of a cluster asks for, beside the Kubernetes API. */
export class PagePaths {
  readonly #cluster: Cluster;
  readonly #loop: PacedEventLoop;
  readonly #usage: NodeUsage;

  constructor(cluster: Cluster, loop: PacedEventLoop) {
    this.#cluster = cluster;
    this.#loop = loop;
    this.#usage = new NodeUsage(cluster.store);
  }

  /** Undefined for other paths. @throws StatusError */
  answer({ method, path, query }: ApiRequest): Answer | undefined {
    if (path !== OVERVIEW_PATH && path !== EXPLAIN_PATH) return undefined;
    if (method !== 'GET') throw methodNotAllowed();
    if (path === OVERVIEW_PATH) return { type: 'object', status: 200, object: this.#overview() };
    return {
      type: 'object',
      status: 200,
      object: this.#explained(query.get('namespace') ?? '', query.get('name') ?? ''),
    };
  }

  #overview(): JsonObject {
    const usage = this.#usage;
    usage.update();
    const { ledger } = this.#cluster.store;
    const nodes = [...ledger.objects('nodes').sortedFrom(undefined, { namespace: '', name: '' })];
    return {
      time: timeAtMillis(this.#loop.nowMillis()),
      speed: this.#loop.pace,
      pods: usage.podCount,
      pendingCount: usage.pending.size,
      pending: [...usage.pending.values()].slice(0, PENDING_SHOWN).map(shownPending),
      nodes: nodes.map((node) => this.#shownNode(node)),
    };
  }

  /** A row instead of an object, since there are thousands. */
  #shownNode(node: Node): [string, boolean, ...number[]] {
    const { cpu, memoryBytes, pods } = this.#usage.of(node);
    const isReady = node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
    const [cpuOffered, memoryOffered, podsOffered] = ['cpu', 'memory', 'pods'].map((name) => offered(node, name));
    const name = node.metadata?.name ?? '';
    const isOpen = isReady && node.spec?.unschedulable !== true;
    return [name, isOpen, cpu, cpuOffered ?? 0, memoryBytes, memoryOffered ?? 0, pods, podsOffered ?? 0];
  }

  #explained(namespace: string, name: string): JsonObject {
    const pod = this.#cluster.store.ledger.get('pods', namespace, name);
    if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, name);
    const explanation = pod.spec?.nodeName ? undefined : this.#cluster.scheduler?.explain(pod);
    return {
      node: pod.spec?.nodeName ?? '',
      phase: pod.status?.phase ?? '',
      message: messageOf(pod),
      decision: explanation === undefined ? null : explanationOf(explanation),
    };
  }
}

function shownPending(pod: Pod): JsonObject {
  const { namespace = '', name = '', creationTimestamp } = pod.metadata ?? {};
  const since = creationTimestamp === undefined ? '' : String(creationTimestamp);
  return { namespace, name, since, message: messageOf(pod) };
}

/** Why the pod has no node, as its condition says. */
function messageOf({ status }: Pod): string {
  const condition = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return condition?.status === 'False' ? (condition.message ?? condition.reason ?? '') : '';
}
