const SECOND = 1000;
const FLUSH_MILLIS = 30 * SECOND;
const LEFTOVER_MILLIS = 300 * SECOND;

export interface ModelPod {
  readonly name: string;
  readonly priority: number;
  readonly arrival: number;
  place: 'active' | 'backoff' | 'errorBackoff' | 'unschedulable' | 'inFlight';
  timestampMillis: number;
  expiryMillis: number;
  unschedulable: number;
  errors: number;
}

/**
 * What the scheduling queue is meant to do, said once more as plainly as possible: one list of pods, searched and
 * sorted at every step. Plugins and gates are left out: a rejected pod is helped by every event.
 */
export class QueueModel {
  readonly pods = new Map<string, ModelPod>();
  /** Names of pods in flight that an event has helped since they were popped. */
  readonly #helped = new Set<string>();
  #arrivals = 0;
  #nowMillis = 0;

  add(name: string, priority: number): void {
    const isKnown = this.pods.has(name);
    if (isKnown) return;
    const [timestampMillis, arrival] = [this.#nowMillis, this.#arrivals++];
    const fresh = { place: 'active', expiryMillis: -1, unschedulable: 0, errors: 0 } as const;
    this.pods.set(name, { ...fresh, name, priority, arrival, timestampMillis });
  }

  pop(): string | undefined {
    const next = this.#inOrder('active')[0] ?? this.#inOrder('backoff')[0];
    if (next !== undefined) next.place = 'inFlight';
    return next?.name;
  }

  fail(name: string, isRejected: boolean): void {
    const pod = this.#mustBe(name, 'inFlight');
    pod.unschedulable += isRejected ? 1 : 0;
    pod.errors = isRejected ? 0 : pod.errors + 1;
    pod.timestampMillis = this.#nowMillis;
    const waits = Math.min(10 * SECOND, SECOND * 2 ** ((pod.errors || pod.unschedulable) - 1));
    pod.expiryMillis = Math.floor((pod.timestampMillis + waits) / SECOND) * SECOND;
    const isHelped = this.#helped.delete(name);
    if (isRejected) pod.place = isHelped ? 'backoff' : 'unschedulable';
    else pod.place = 'errorBackoff';
  }

  forget(name: string): void {
    this.#helped.delete(name);
    this.pods.delete(name);
  }

  event(): void {
    for (const pod of this.pods.values()) {
      if (pod.place === 'inFlight') this.#helped.add(pod.name);
      if (pod.place === 'unschedulable') pod.place = this.#isBackingOff(pod) ? 'backoff' : 'active';
    }
  }

  activate(name: string): void {
    const pod = this.pods.get(name);
    if (pod?.place === 'inFlight') this.#helped.add(name);
    else if (pod !== undefined) pod.place = 'active';
  }

  advance(millis: number): void {
    const endMillis = this.#nowMillis + millis;
    for (;;) {
      const tickMillis = (Math.floor(this.#nowMillis / SECOND) + 1) * SECOND;
      if (tickMillis > endMillis) break;
      this.#nowMillis = tickMillis;
      this.#tick();
    }
    this.#nowMillis = endMillis;
  }

  #tick(): void {
    for (const pod of this.pods.values()) {
      const isInBackoff = pod.place === 'backoff' || pod.place === 'errorBackoff';
      if (isInBackoff && !this.#isBackingOff(pod)) pod.place = 'active';
    }
    if (this.#nowMillis % FLUSH_MILLIS !== 0) return;
    const left = [...this.pods.values()].filter((pod) => pod.place === 'unschedulable');
    const old = left.filter((pod) => this.#nowMillis - pod.timestampMillis > LEFTOVER_MILLIS);
    for (const pod of old) pod.place = 'active';
    if (old.length > 0) for (const pod of this.pods.values()) if (pod.place === 'inFlight') this.#helped.add(pod.name);
  }

  #isBackingOff(pod: ModelPod): boolean {
    return pod.expiryMillis >= Math.floor(this.#nowMillis / SECOND) * SECOND;
  }

  #inOrder(place: ModelPod['place']): ModelPod[] {
    const key = (pod: ModelPod): number[] => [
      place === 'backoff' ? pod.expiryMillis : 0,
      -pod.priority,
      pod.timestampMillis,
      pod.arrival,
    ];
    return [...this.pods.values()].filter((pod) => pod.place === place).sort((a, b) => compare(key(a), key(b)));
  }

  #mustBe(name: string, place: ModelPod['place']): ModelPod {
    const pod = this.pods.get(name);
    if (pod?.place !== place) throw new Error(`${name} is not ${place}`);
    return pod;
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((value, index) => value !== b[index]);
  return i < 0 ? 0 : (a[i] ?? 0) - (b[i] ?? 0);
}
