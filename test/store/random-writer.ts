import { expect } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import type { EventLoop } from '../../src/lib/event-loop.ts';
import type { Prng } from '../../src/lib/prng.ts';
import type { Store } from '../../src/store/store.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { attempt } from './simulated-watcher.ts';

const NAMESPACES = ['default', 'kube-system'];
const NAMES = ['a', 'b', 'c', 'd'];
const APPS = ['a', 'b', undefined];
const PHASES = ['Pending', 'Running', 'Succeeded'];

/** One of several clients that write to a few pods, now and then based on what they read before. */
export class RandomWriter {
  readonly #store: Store;
  readonly #loop: EventLoop;
  readonly #prng: Prng;
  readonly #number: number;
  #left: number;
  #read: Pod | undefined;

  constructor(store: Store, loop: EventLoop, prng: Prng, number: number, writes: number) {
    this.#store = store;
    this.#loop = loop;
    this.#prng = prng;
    this.#number = number;
    this.#left = writes;
  }

  step(): void {
    if (this.#left === 0) return;
    this.#left--;
    const before = this.#store.list('pods');
    const reason = attempt(() => this.#write());
    // What is refused leaves no trace.
    if (reason !== '') expect(this.#store.list('pods')).toEqual(before);
    this.#loop.after(this.#prng.below(30), () => this.step());
  }

  #write(): void {
    const store = this.#store;
    const [namespace, name] = [this.#pick(NAMESPACES), this.#pick(NAMES)];
    const metadata = { name, namespace };
    const labels = { app: this.#pick(APPS) };
    const body = { metadata: { labels: { app: labels.app ?? null } } };
    switch (this.#prng.below(13)) {
      case 0:
      case 1:
      case 2:
        store.create('pods', { metadata: { ...metadata, labels: labels as never }, spec: makePod(name).spec });
        break;
      case 3:
        store.create('pods', { metadata: { ...metadata, finalizers: ['example.com/x'] }, spec: makePod(name).spec });
        break;
      case 4:
        store.delete('pods', namespace, name);
        break;
      case 5:
        store.delete('pods', namespace, name, { gracePeriodSeconds: 0 });
        break;
      case 6:
        store.patch('pods', namespace, name, { type: 'merge', body });
        break;
      case 7:
        store.patch('pods', namespace, name, { type: 'merge', body: { metadata: { finalizers: null } } });
        break;
      case 8:
        store.updateStatus('pods', { metadata, status: { phase: this.#pick(PHASES) } });
        break;
      case 9:
        store.bind(namespace, name, { target: { name: this.#pick(['n1', 'n2']) } });
        break;
      case 10:
        this.#read = store.get('pods', namespace, name);
        break;
      case 11:
        // Based on what was read a while ago: a conflict when somebody wrote since.
        if (this.#read)
          store.update('pods', { ...this.#read, metadata: { ...this.#read.metadata, ...body.metadata } } as Pod);
        break;
      default:
        store.create('nodes', makeNode(`n-${this.#number}-${this.#left}`));
    }
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#prng.below(items.length)] as T;
  }
}
