import type { Pod } from '../../../src/api/pod.ts';
import { timeAtMillis } from '../../../src/api/time.ts';
import { isApiError } from '../../../src/store/objects/api-error.ts';
import type { ControlPlane } from '../control-plane.ts';

/** What becomes of a pod. */
export interface Fate {
  readonly seconds: number;
  readonly exitCode: number;
}

/** Runs every pod at once, lets it end as its fate says, and removes it when it is deleted. */
export class PodRunner {
  readonly #plane: ControlPlane;
  readonly #fateOf: (pod: Pod) => Fate;

  constructor(plane: ControlPlane, fateOf: (pod: Pod) => Fate) {
    this.#plane = plane;
    this.#fateOf = fateOf;
    plane.informers.of('pods').addHandler({
      onAdd: (pod) => this.#run(pod),
      onUpdate: (before, pod) => {
        const isNews = before.metadata?.deletionTimestamp !== pod.metadata?.deletionTimestamp;
        if (isNews) this.#kill(pod);
      },
      onDelete: () => {},
    });
  }

  #run(pod: Pod): void {
    const { name = '' } = pod.metadata ?? {};
    this.#plane.loop.soon(() =>
      this.#quietly(() => this.#plane.store.bind('default', name, { target: { name: 'n' } })),
    );
    this.#setStatus(pod, 0, { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] });
    const { seconds, exitCode } = this.#fateOf(pod);
    const terminated = { exitCode };
    this.#setStatus(pod, seconds, {
      phase: exitCode === 0 ? 'Succeeded' : 'Failed',
      conditions: [{ type: 'Ready', status: 'False' }],
      containerStatuses: [{ name: 'main', state: { terminated } }],
    });
  }

  #setStatus(pod: Pod, seconds: number, status: object): void {
    const { name = '', uid } = pod.metadata ?? {};
    this.#plane.loop.after(seconds * 1000, () => {
      const now = timeAtMillis(this.#plane.loop.nowMillis());
      const text = JSON.stringify(status).replace(/("exitCode":\d+)/, `$1,"finishedAt":"${now}"`);
      const patch = { metadata: { uid }, status: JSON.parse(text) as object };
      this.#quietly(() =>
        this.#plane.store.patch('pods', 'default', name, { type: 'strategic', body: patch }, 'status'),
      );
    });
  }

  #kill({ metadata }: Pod): void {
    const kill = () => this.#plane.store.delete('pods', 'default', metadata?.name ?? '', { gracePeriodSeconds: 0 });
    this.#plane.loop.after(1000, () => this.#quietly(kill));
  }

  /** What is gone needs nothing any more. */
  #quietly(write: () => unknown): void {
    try {
      write();
    } catch (error) {
      if (!isApiError(error, 'NotFound') && !isApiError(error, 'Conflict')) throw error;
    }
  }
}
