import type { OnPleg } from '../../src/kubelet/kubelet-options.ts';
import type { PodLifecycleEvent } from '../../src/kubelet/pleg/compute-events.ts';
import type { EventChannel } from '../../src/kubelet/pleg/event-channel.ts';
import type { GenericPleg } from '../../src/kubelet/pleg/generic-pleg.ts';
import type { Violated } from './violation.ts';

const INVARIANT = 'PLEG reports each transition once';

/** What the sync loop has received of one container or sandbox. */
interface Received {
  readonly podUid: string;
  hasStarted: boolean;
  hasDied: boolean;
}

/** Looks at the PLEGs of all agents, and at what comes out of their channels. */
export class PlegWitness {
  readonly #violated: Violated;
  readonly #seen: OnePleg[] = [];

  constructor(violated: Violated) {
    this.#violated = violated;
  }

  readonly onPleg: OnPleg = (pleg, channel) => {
    this.#seen.push(new OnePleg(pleg, channel, this.#violated));
  };

  /** Checks all agents; to be called between two tasks. */
  check(): void {
    for (const one of this.#seen) one.check();
  }
}

class OnePleg {
  readonly #pleg: GenericPleg;
  readonly #channel: EventChannel;
  readonly #violated: Violated;
  /** The containers and sandboxes by id; those that are gone are not kept. */
  readonly #reported = new Map<string, Received>();

  constructor(pleg: GenericPleg, channel: EventChannel, violated: Violated) {
    this.#pleg = pleg;
    this.#channel = channel;
    this.#violated = violated;
    const take = channel.take.bind(channel);
    channel.take = (count) => {
      const events = take(count);
      for (const event of events) this.#receive(event);
      return events;
    };
  }

  /** Checks that every committed state has been reported, or is about to be. */
  check(): void {
    const coming = new Set(this.#channel.peek().map(keyOf));
    const shown = new Set<string>();
    for (const uid of this.#pleg.records.uids()) {
      const { old } = this.#pleg.records.get(uid);
      if (old === undefined) continue;
      for (const { id, state } of [...old.containers, ...old.sandboxes]) {
        shown.add(id);
        const reported = this.#reported.get(id);
        const [type, isReported] =
          state === 'running' ? (['ContainerStarted', reported?.hasStarted] as const) : DIED(reported);
        if (state !== 'running' && state !== 'exited') continue;
        if (!isReported && !coming.has(`${type} ${id}`))
          this.#violated(INVARIANT, `pod ${uid}: ${type} of ${id} is lost`);
      }
    }
    for (const [id, { podUid }] of this.#reported) {
      if (shown.has(id) || coming.has(`ContainerRemoved ${id}`)) continue;
      this.#violated(INVARIANT, `pod ${podUid}: ContainerRemoved of ${id} is lost`);
    }
    if (this.#channel.discarded > 0) this.#violated(INVARIANT, 'the channel is full');
  }

  #receive(event: PodLifecycleEvent): void {
    const { podUid, type, containerId: id } = event;
    if (id === undefined) return;
    const reported = this.#reported.get(id) ?? { podUid, hasStarted: false, hasDied: false };
    const isAgain =
      (type === 'ContainerStarted' && (reported.hasStarted || reported.hasDied)) ||
      (type === 'ContainerDied' && reported.hasDied) ||
      (type === 'ContainerRemoved' && !reported.hasDied);
    if (isAgain) this.#violated(INVARIANT, `pod ${podUid}: ${type} of ${id} comes again, or out of turn`);
    if (type === 'ContainerRemoved') {
      this.#reported.delete(id);
      return;
    }
    if (type === 'ContainerStarted') reported.hasStarted = true;
    else reported.hasDied = true;
    this.#reported.set(id, reported);
  }
}

const DIED = (reported: Received | undefined) => ['ContainerDied', reported?.hasDied] as const;

function keyOf({ type, containerId }: PodLifecycleEvent): string {
  return `${type} ${containerId}`;
}
