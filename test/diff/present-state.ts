import type { Node } from '../../src/api/node.ts';
import { podKey } from '../../src/api/object-name.ts';
import type { Pod } from '../../src/api/pod.ts';
import { isPodFinished } from '../../src/api/pod-conditions.ts';
import type { PersistentVolumeClaim } from '../../src/api/storage.ts';
import { hostPorts } from '../../src/framework/host-ports.ts';
import { type ObjectKind, type ObjectKinds, Scheduler } from '../../src/index.ts';
import type { AttemptResult } from '../parity/script/play-script.ts';
import type { ScriptEvent } from '../parity/script/script-case.ts';

/** What the cluster looks like after the events so far, in plain maps; `build` makes a scheduler of it from nothing. */
export class PresentState {
  readonly #objects = new Map<string, { readonly kind: ObjectKind; readonly object: ObjectKinds[ObjectKind] }>();
  /** In the order in which they came; an update keeps the place. */
  readonly #nodes = new Map<string, Node>();
  /** Pods on nodes, which need not exist, by key; in the order in which they came or were last updated. */
  readonly #pods = new Map<string, Pod>();
  /** Pending pods with a nominated node, by key. */
  readonly #nominated = new Map<string, Pod>();
  /**
   * Whether what comes next depends on more than the present state: two pods have held one port of a node, which is
   * free when the first of them goes; or volumes are promised to a pod, or devices given to its claims, which no object
   * of the script records.
   */
  dependsOnHistory = false;

  build(): Scheduler {
    const scheduler = new Scheduler({ engine: 'reference', preemption: false, validate: false });
    for (const { kind, object } of this.#objects.values()) {
      // The pair is one of a union; the type system loses track of it.
      scheduler.setObject(kind as 'Namespace', object as ObjectKinds['Namespace']);
    }
    for (const node of this.#nodes.values()) scheduler.addNode(node);
    for (const pod of this.#pods.values()) scheduler.addPod(pod);
    for (const pod of this.#nominated.values()) scheduler.addPod(pod);
    return scheduler;
  }

  note(event: Exclude<ScriptEvent, { readonly t: 'schedule' }>): void {
    const { t } = event;
    if (t === 'set') {
      const { k: kind, o: object } = event;
      this.#objects.set(objectKey(kind, object), { kind, object });
    } else if (t === 'unset') this.#objects.delete(`${event.k} ${event.ns ?? ''}/${event.n}`);
    else if (t === 'node' || t === 'nodeUpdate') this.#setNode(event.o, t === 'nodeUpdate');
    else if (t === 'nodeRemove') this.#nodes.delete(event.n);
    else if (t === 'pod') this.#addPod(event.o);
    else if (t === 'podUpdate') this.#updatePod(event.o);
    else if (t === 'podRemove') this.#forget(podKey({ metadata: { namespace: event.ns, name: event.n } }));
    else if (t === 'nominate') this.#nominate(event.o);
  }

  noteAttempt(pod: Pod, result: AttemptResult): void {
    if (result?.status !== 'scheduled') return;
    this.#forget(podKey(pod));
    this.#place({ ...pod, spec: { ...pod.spec, nodeName: result.node } });
    if (pod.spec?.resourceClaims !== undefined || this.#isPromisedVolumes(pod)) this.dependsOnHistory = true;
  }

  #setNode(node: Node, isKnown: boolean): void {
    const name = node.metadata?.name ?? '';
    if (this.#nodes.has(name) === isKnown) this.#nodes.set(name, node);
  }

  #addPod(pod: Pod): void {
    const key = podKey(pod);
    const isKnown = this.#pods.has(key) || this.#nominated.has(key);
    if (!isKnown && pod.spec?.nodeName && !isPodFinished(pod)) this.#place(pod);
  }

  #updatePod(pod: Pod): void {
    const key = podKey(pod);
    const nodeName = this.#pods.get(key)?.spec?.nodeName;
    if (nodeName === undefined) return;
    this.#forget(key);
    if (!isPodFinished(pod)) this.#place({ ...pod, spec: { ...pod.spec, nodeName } });
  }

  #nominate(pod: Pod): void {
    const key = podKey(pod);
    if (!this.#pods.has(key)) this.#nominated.set(key, pod);
  }

  #forget(key: string): void {
    this.#pods.delete(key);
    this.#nominated.delete(key);
  }

  #place(pod: Pod): void {
    const ports = new Set(portsOf(pod));
    if (ports.size > 0) {
      const neighbours = [...this.#pods.values()].filter(({ spec }) => spec?.nodeName === pod.spec?.nodeName);
      if (neighbours.some((other) => portsOf(other).some((port) => ports.has(port)))) this.dependsOnHistory = true;
    }
    this.#pods.set(podKey(pod), pod);
  }

  #isPromisedVolumes({ metadata, spec }: Pod): boolean {
    return (spec?.volumes ?? []).some(({ persistentVolumeClaim }) => {
      if (persistentVolumeClaim === undefined) return false;
      const key = `PersistentVolumeClaim ${metadata?.namespace ?? ''}/${persistentVolumeClaim.claimName ?? ''}`;
      const claim = this.#objects.get(key)?.object as PersistentVolumeClaim | undefined;
      return claim?.metadata?.annotations?.['pv.kubernetes.io/bind-completed'] === undefined;
    });
  }
}

function objectKey(kind: ObjectKind, { metadata }: ObjectKinds[ObjectKind]): string {
  return `${kind} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

function portsOf(pod: Pod): string[] {
  return hostPorts(pod).map(({ ip, protocol, port }) => `${ip}/${protocol}/${port}`);
}
