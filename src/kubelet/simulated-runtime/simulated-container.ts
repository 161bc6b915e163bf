import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import type { RuntimeContainerStatus } from '../pleg/runtime.ts';
import type { ContainerBehaviour } from './behaviour.ts';

export interface SimulatedContainerOptions {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  readonly sandboxId: string;
  readonly restartCount: number;
  /** undefined: as much as there is. */
  readonly memoryLimitBytes: number | undefined;
  readonly behaviour: ContainerBehaviour;
  readonly loop: EventLoop;
  readonly onExit: () => void;
}

/** How a container comes to its end. */
interface Ending {
  readonly atMillis: number;
  readonly exitCode: number;
  readonly reason: string;
}

/** What a shell would say of a container that was told to end, and of one that was killed. */
const TERMINATED_CODE = 143;
const KILLED_CODE = 137;
/** A runtime that does not know how a container ended, since it was away, says so. */
const UNKNOWN_CODE = 255;

/**
 * One container that runs: it ends by itself, for want of memory, when it is told to, or when its grace period is over,
 * whatever comes first.
 */
export class SimulatedContainer {
  readonly #options: SimulatedContainerOptions;
  readonly #startedAtMillis: number;
  #ending: Ending;
  #stopSinceMillis: number | undefined;
  #timer: Timer | undefined;
  #exit: Ending | undefined;
  #onExit: (() => void)[] = [];

  constructor(options: SimulatedContainerOptions) {
    this.#options = options;
    this.#startedAtMillis = options.loop.nowMillis();
    this.#ending = this.#ownEnding();
    this.#setTimer();
  }

  get id(): string {
    return this.#options.id;
  }

  get name(): string {
    return this.#options.name;
  }

  get isRunning(): boolean {
    return this.#exit === undefined;
  }

  status(): RuntimeContainerStatus {
    const { id, name, image, sandboxId, restartCount, behaviour } = this.#options;
    const startedAtMillis = this.#startedAtMillis;
    const exit = this.#exit;
    const startupPassesAtMillis = startedAtMillis + behaviour.startupMillis;
    return {
      id,
      name,
      image,
      sandboxId,
      restartCount,
      startedAtMillis,
      state: exit === undefined ? 'running' : 'exited',
      finishedAtMillis: exit?.atMillis,
      exitCode: exit?.exitCode,
      reason: exit?.reason,
      startupPassesAtMillis,
      // Readiness is not asked for before the startup probe has passed.
      readinessPassesAtMillis: Math.max(startupPassesAtMillis, startedAtMillis + behaviour.readyMillis),
    };
  }

  /** Told again, the shorter grace counts. */
  stop(graceMillis: number, onExit: () => void): void {
    if (this.#exit !== undefined) {
      onExit();
      return;
    }
    this.#onExit.push(onExit);
    const { loop, behaviour } = this.#options;
    const nowMillis = loop.nowMillis();
    this.#stopSinceMillis ??= nowMillis;
    const stopped = { atMillis: this.#stopSinceMillis + behaviour.stopMillis, exitCode: TERMINATED_CODE };
    const killed = { atMillis: nowMillis + graceMillis, exitCode: KILLED_CODE };
    for (const ending of [stopped, killed]) {
      if (ending.atMillis < this.#ending.atMillis) this.#ending = { ...ending, reason: 'Error' };
    }
    this.#setTimer();
  }

  /** The node has gone down: nobody saw how the container ended, and nobody is told. */
  crash(): void {
    if (this.#exit !== undefined) return;
    this.#timer?.cancel();
    this.#onExit = [];
    this.#exit = { atMillis: this.#options.loop.nowMillis(), exitCode: UNKNOWN_CODE, reason: 'Unknown' };
  }

  #ownEnding(): Ending {
    const { behaviour, memoryLimitBytes = Number.POSITIVE_INFINITY } = this.#options;
    const { runMillis, exitCode, memoryBytes } = behaviour;
    if (memoryBytes > memoryLimitBytes) {
      // One that runs for ever has no pace at which it grows.
      const growthMillis = runMillis === Number.POSITIVE_INFINITY ? 0 : (runMillis * memoryLimitBytes) / memoryBytes;
      const atMillis = this.#startedAtMillis + Math.floor(growthMillis);
      return { atMillis, exitCode: KILLED_CODE, reason: 'OOMKilled' };
    }
    const reason = exitCode === 0 ? 'Completed' : 'Error';
    return { atMillis: this.#startedAtMillis + runMillis, exitCode, reason };
  }

  #setTimer(): void {
    this.#timer?.cancel();
    const { atMillis } = this.#ending;
    if (atMillis === Number.POSITIVE_INFINITY) return;
    const { loop } = this.#options;
    this.#timer = loop.after(atMillis - loop.nowMillis(), () => this.#end());
  }

  #end(): void {
    this.#exit = { ...this.#ending, atMillis: this.#options.loop.nowMillis() };
    const told = this.#onExit;
    this.#onExit = [];
    this.#options.onExit();
    for (const onExit of told) onExit();
  }
}
