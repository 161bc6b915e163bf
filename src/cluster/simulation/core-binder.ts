import { podKey } from '../../api/object-name.ts';
import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import type { SchedulerConfiguration } from '../../core/config/configuration.ts';
import { Scheduler } from '../../core/scheduler.ts';
import { Fifo } from '../../lib/fifo.ts';
import type { Cluster } from '../cluster.ts';

/** Stands in for a scheduler on the store: first come, first served; whoever fits nowhere waits for room. */
export class CoreBinder {
  readonly #cluster: Cluster;
  readonly #scheduler: Scheduler;
  readonly #pending = new Fifo<Pod>();
  readonly #waiting = new Map<string, Pod>();
  readonly #known = new Set<string>();
  #isAwake = false;

  constructor(cluster: Cluster, configuration: SchedulerConfiguration | undefined) {
    this.#cluster = cluster;
    this.#scheduler = new Scheduler(configuration === undefined ? {} : { configuration });
    cluster.informers.of('nodes').addHandler({
      onAdd: (node: Node) => {
        this.#scheduler.addNode(node);
        this.#retry();
      },
      onUpdate: (_: Node, node: Node) => {
        this.#scheduler.updateNode(node);
        this.#retry();
      },
      onDelete: (node: Node) => this.#scheduler.removeNode(node.metadata?.name ?? ''),
    });
    cluster.informers.of('pods').addHandler({
      onAdd: (pod: Pod) => this.#see(pod),
      onUpdate: (_: Pod, pod: Pod) => this.#see(pod),
      onDelete: (pod: Pod) => this.#forget(pod),
    });
  }

  #see(pod: Pod): void {
    if (isPodFinished(pod)) this.#forget(pod);
    else if (!pod.spec?.nodeName && !this.#known.has(podKey(pod))) {
      this.#known.add(podKey(pod));
      this.#pending.push(pod);
      this.#wake();
    }
  }

  #forget(pod: Pod): void {
    this.#known.delete(podKey(pod));
    this.#waiting.delete(podKey(pod));
    if (!pod.spec?.nodeName) return;
    this.#scheduler.removePod(pod.metadata?.namespace ?? '', pod.metadata?.name ?? '');
    this.#retry();
  }

  #retry(): void {
    for (const pod of this.#waiting.values()) this.#pending.push(pod);
    this.#waiting.clear();
    this.#wake();
  }

  #wake(): void {
    if (this.#isAwake) return;
    this.#isAwake = true;
    this.#cluster.loop.soon(() => {
      this.#isAwake = false;
      for (let pod = this.#pending.shift(); pod !== undefined; pod = this.#pending.shift()) this.#place(pod);
    });
  }

  #place(pod: Pod): void {
    const { namespace = '', name = '', uid } = pod.metadata ?? {};
    const current = this.#cluster.informers.of('pods').lister.get(namespace, name);
    if (current?.metadata?.uid !== uid || current?.spec?.nodeName) return;
    const result = this.#scheduler.schedule(pod);
    if (result.status === 'scheduled') {
      this.#cluster.client.bind(namespace, name, { metadata: { uid }, target: { name: result.node } });
    } else this.#waiting.set(podKey(pod), pod);
  }
}
