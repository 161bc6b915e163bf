import type { IdleLife, KubeletModules, KubeletOptions } from '../kubelet-options.ts';
import type { PlegHealth } from '../pleg/generic-pleg.ts';
import { housekeepingGrid, relistGrid, tickAfter, untilWholeMillis } from '../tick-wheel.ts';

type IdleKubeletModules = Pick<KubeletModules, 'loop' | 'wheel'>;
type IdleKubeletOptions = Pick<KubeletOptions, 'rank' | 'phaseMillis'>;

/**
 * A kubelet of a node on which nothing runs, and nothing has to be done: many nodes of a large cluster never get a pod.
 * It has the first relist and the first housekeeping of a kubelet, which find nothing, at their times, and in the same
 * place among the other tasks; so the kubelet that takes over (`end`) can go on as if it had been there all the time.
 *
 * ```
 *   started ── relist ──▶ healthy ── housekeeping ──▶ iteration of the sync loop ──▶ nothing
 * ```
 */
export class IdleKubelet {
  readonly #modules: IdleKubeletModules;
  readonly #sinceMillis: number;
  #relistMillis: number | undefined;
  #housekeeping: IdleLife['housekeeping'] = 'requested';
  #isOver = false;
  /** The sync loop of the kubelet that has taken over while an iteration was due. */
  #iterate: (() => void) | undefined;

  constructor(modules: IdleKubeletModules, { rank, phaseMillis }: IdleKubeletOptions) {
    const { loop, wheel } = modules;
    this.#modules = modules;
    this.#sinceMillis = loop.nowMillis();
    wheel.at(tickAfter(relistGrid(phaseMillis), this.#sinceMillis), rank, this.#relist);
    wheel.at(tickAfter(housekeepingGrid(phaseMillis), this.#sinceMillis), rank, this.#housekeep);
  }

  health(): PlegHealth {
    return this.#relistMillis === undefined ? { ok: false, error: 'pleg has yet to be successful' } : { ok: true };
  }

  /** Ends, and returns from where a kubelet goes on. */
  end(): IdleLife {
    this.#isOver = true;
    return {
      sinceMillis: this.#sinceMillis,
      relistMillis: this.#relistMillis,
      housekeeping: this.#housekeeping,
      takeIteration: (iterate) => {
        this.#iterate = iterate;
      },
    };
  }

  readonly #relist = (): void => {
    if (!this.#isOver) this.#relistMillis = this.#modules.loop.nowMillis();
  };

  readonly #housekeep = (): void => {
    if (this.#isOver) return;
    this.#housekeeping = 'due';
    const { loop } = this.#modules;
    loop.after(untilWholeMillis(loop.nowMillis()), () => {
      this.#housekeeping = 'done';
      this.#iterate?.();
    });
  };
}
