import type { EventLoop, Timer } from '../../lib/event-loop.ts';
import type { RuntimeContainerStatus } from '../pleg/runtime.ts';
import type { ContainerBehaviour } from './behaviour.ts';

type Identity = Pick<RuntimeContainerStatus, 'id' | 'name' | 'image' | 'sandboxId' | 'restartCount'>;

export interface SimulatedContainerOptions extends Identity {
  /** The memory limit; undefined for none. */
  readonly memoryLimitBytes: number | undefined;
  readonly behaviour: ContainerBehaviour;
  readonly loop: EventLoop;
  readonly onExit: () => void;
}

/** How and when a container ends. */
interface Ending {
  readonly atMillis: number;
  readonly exitCode: number;
  readonly reason: string;
}

/** The exit codes of a container that ended on SIGTERM, and of one that was killed. */
const TERMINATED_CODE = 143;
const KILLED_CODE = 137;
/** The exit code when the runtime was down and does not know how the container ended. */
const UNKNOWN_CODE = 255;

/**
 * A running container. It ends by itself, for lack of memory, when it is stopped, or when its grace period is over,
 * whichever comes first.
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
      // The readiness probe does not run before the startup probe has passed.
      readinessPassesAtMillis: Math.max(startupPassesAtMillis, startedAtMillis + behaviour.readyMillis),
    };
  }

  /** Stops the container. If it was stopped before, the shorter grace period counts. */
  stop(graceMillis: number, onExit: () => void): void {
    if (this.#exit !== undefined) {
      onExit();
      return;
    }
    this.#onExit.push(onExit);
    const { loop, behaviour } = this.#options;
    const nowMillis = loop.nowMillis();
    this.#stopSinceMillis ??= nowMillis;
    this.#endBy(this.#stopSinceMillis + behaviour.stopMillis, TERMINATED_CODE);
    this.#endBy(nowMillis + graceMillis, KILLED_CODE);
    this.#setTimer();
  }

  /** Ends the container because its node has crashed: the exit is not observed, and `onExit` is not called. */
  crash(): void {
    if (this.#exit !== undefined) return;
    this.#timer?.cancel();
    this.#onExit = [];
    this.#exit = { atMillis: this.#options.loop.nowMillis(), exitCode: UNKNOWN_CODE, reason: 'Unknown' };
  }

  /** Lets the container end at this time, unless it ends earlier. */
  #endBy(atMillis: number, exitCode: number): void {
    if (atMillis < this.#ending.atMillis) this.#ending = { atMillis, exitCode, reason: 'Error' };
  }

  #ownEnding(): Ending {
    const { behaviour, memoryLimitBytes = Number.POSITIVE_INFINITY } = this.#options;
    const { runMillis, exitCode, memoryBytes } = behaviour;
    if (memoryBytes > memoryLimitBytes) {
      // A container that runs for ever has no rate at which its memory grows, so it exceeds its limit at once.
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
    const { exitCode, reason } = this.#ending;
    this.#exit = { atMillis: this.#options.loop.nowMillis(), exitCode, reason };
    const onExits = this.#onExit;
    this.#onExit = [];
    this.#options.onExit();
    for (const onExit of onExits) onExit();
  }
}
