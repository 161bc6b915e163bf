import type { Container, Pod } from '../../api/pod.ts';
import { parseQuantity } from '../../api/quantity.ts';
import { BEHAVIOUR_PREFIX, parseExitCodes } from '../../api/validation/behaviour-settings.ts';
import { DistributionError, parseDistribution } from '../../lib/distribution.ts';
import { keyedPrng } from '../../lib/keyed-prng.ts';

/** What a simulated container does. */
export interface ContainerBehaviour {
  /** The time from the order to start until the container runs. */
  readonly startMillis: number;
  /** How long it runs; Infinity: until it is stopped. */
  readonly runMillis: number;
  readonly exitCode: number;
  /** The times from its start until its startup probe and its readiness probe pass. */
  readonly startupMillis: number;
  readonly readyMillis: number;
  /** How long it takes to end when it is stopped. */
  readonly stopMillis: number;
  /** The memory that it uses when it ends by itself; its use grows evenly until then. */
  readonly memoryBytes: number;
}

/** What a container does for which nothing is set, and that runs until it is stopped. */
const UNSET: ContainerBehaviour = {
  startMillis: 0,
  runMillis: Number.POSITIVE_INFINITY,
  exitCode: 0,
  startupMillis: 0,
  readyMillis: 0,
  stopMillis: 0,
  memoryBytes: 0,
};

/** Settings by name, such as `run-duration`. */
export type BehaviourSettings = Readonly<Record<string, string>>;

export interface BehaviourOptions {
  readonly seed: number;
  /** The behaviour of containers of these images, unless their pod says otherwise. */
  readonly images?: Readonly<Record<string, BehaviourSettings>> | undefined;
  /** The behaviour of all other containers. */
  readonly defaults?: BehaviourSettings | undefined;
}

/** A setting is malformed, so the container cannot be made. */
export class BehaviourError extends Error {}

/** The running time of containers that are expected to end, when nothing else is set. */
const DEFAULT_RUN = '10s';
const DEFAULT_INIT_RUN = '1s';

/**
 * What containers do, as annotations of their pod say:
 *
 * | annotation | value | absent |
 * |---|---|---|
 * | `berth.dev/pull-duration` | how long its image takes to come to a node that lacks it | 0s |
 * | `berth.dev/start-latency` | from the order to start until it runs | 0s |
 * | `berth.dev/run-duration` | until it ends by itself | `forever` with restartPolicy Always, else 10s; init: 1s |
 * | `berth.dev/exit-codes` | `1,1,0`: of the first, second and every further start | 0 |
 * | `berth.dev/startup-delay` | until its startup probe passes | 0s |
 * | `berth.dev/ready-delay` | until its readiness probe passes | 0s |
 * | `berth.dev/stop-duration` | until it ends when it is stopped | 0s |
 * | `berth.dev/memory-use` | what it uses at its end: above its memory limit, it is killed on the way there | 0 |
 *
 * Durations are distributions (`parseDistribution`). `berth.dev/run-duration.web` is of the container `web` alone. What
 * the pod does not set is taken from the settings of the image, and then from the defaults; both use the same names
 * without prefix.
 *
 * Each draw depends on the seed, the pod's namespace and name, the container, the number of its restarts and the name
 * of the setting, and on nothing else.
 */
export class Behaviours {
  readonly #options: BehaviourOptions;

  constructor(options: BehaviourOptions) {
    this.#options = options;
  }

  /** @throws BehaviourError */
  of(pod: Pod, container: Container, restartCount: number): ContainerBehaviour {
    const absent = absentRun(pod, container);
    if (absent === 'forever' && this.#hasNoSettings(pod)) return UNSET;
    const draw = (setting: string, absent: string): number =>
      this.#draw(pod, container, setting, absent, String(restartCount));
    return {
      startMillis: draw('start-latency', '0s'),
      runMillis: draw('run-duration', absent),
      exitCode: this.#exitCode(pod, container, restartCount),
      startupMillis: draw('startup-delay', '0s'),
      readyMillis: draw('ready-delay', '0s'),
      stopMillis: draw('stop-duration', '0s'),
      memoryBytes: this.#memoryBytes(pod, container),
    };
  }

  /** @throws BehaviourError */
  pullMillis(pod: Pod, container: Container): number {
    return this.#hasNoSettings(pod) ? 0 : this.#draw(pod, container, 'pull-duration', '0s', '');
  }

  /** Whether nothing is set for containers of the pod, as for most pods of a trace. */
  #hasNoSettings({ metadata }: Pod): boolean {
    const { images, defaults } = this.#options;
    if (images !== undefined || defaults !== undefined) return false;
    for (const name in metadata?.annotations) if (name.startsWith(BEHAVIOUR_PREFIX)) return false;
    return true;
  }

  #draw(pod: Pod, container: Container, setting: string, absent: string, attempt: string): number {
    const text = this.#setting(pod, container, setting) ?? absent;
    if (text === '0s') return 0;
    const { namespace, name } = pod.metadata ?? {};
    try {
      const key = `${namespace}/${name}/${container.name}/${attempt}/${setting}`;
      return parseDistribution(text).drawMillis(keyedPrng(this.#options.seed, key));
    } catch (error) {
      if (!(error instanceof DistributionError)) throw error;
      throw new BehaviourError(`${setting} of container ${container.name}: ${error.message}`);
    }
  }

  #exitCode(pod: Pod, container: Container, restartCount: number): number {
    const text = this.#setting(pod, container, 'exit-codes');
    if (text === undefined) return 0;
    const codes = parseExitCodes(text) ?? [];
    const code = codes[Math.min(restartCount, codes.length - 1)];
    if (code !== undefined) return code;
    throw new BehaviourError(
      `exit-codes of container ${container.name}: ${JSON.stringify(text)} is not a list of exit codes, such as 1,1,0`,
    );
  }

  #memoryBytes(pod: Pod, container: Container): number {
    const text = this.#setting(pod, container, 'memory-use');
    if (text === undefined) return 0;
    try {
      return Number(parseQuantity(text).value);
    } catch {
      throw new BehaviourError(`memory-use of container ${container.name}: ${JSON.stringify(text)} is not a quantity`);
    }
  }

  #setting({ metadata }: Pod, { name, image }: Container, setting: string): string | undefined {
    const { images, defaults } = this.#options;
    const annotations = metadata?.annotations;
    return (
      annotations?.[`${BEHAVIOUR_PREFIX}${setting}.${name}`] ??
      annotations?.[BEHAVIOUR_PREFIX + setting] ??
      images?.[image ?? '']?.[setting] ??
      defaults?.[setting]
    );
  }
}

function absentRun({ spec }: Pod, container: Container): string {
  const isInit = spec?.initContainers?.some(({ name }) => name === container.name) ?? false;
  if (isInit) return container.restartPolicy === 'Always' ? 'forever' : DEFAULT_INIT_RUN;
  return (spec?.restartPolicy ?? 'Always') === 'Always' ? 'forever' : DEFAULT_RUN;
}
