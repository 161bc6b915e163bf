import type { ContainerStatus } from '../../api/pod.ts';

/** The statuses of all containers, including init containers, by name. */
export interface StatusByName {
  get(name: string): ContainerStatus | undefined;
}

/** Finds statuses in the lists themselves: a pod has few containers, so that this costs less than to make a map. */
export class NamedStatuses implements StatusByName {
  readonly #regular: readonly ContainerStatus[] | undefined;
  readonly #init: readonly ContainerStatus[] | undefined;

  constructor(regular: readonly ContainerStatus[] | undefined, init: readonly ContainerStatus[] | undefined) {
    this.#regular = regular;
    this.#init = init;
  }

  /** Whether there is no status at all. */
  get isEmpty(): boolean {
    return !this.#regular?.length && !this.#init?.length;
  }

  get(name: string): ContainerStatus | undefined {
    return withName(this.#init, name) ?? withName(this.#regular, name);
  }
}

/** The last status of the name. */
function withName(statuses: readonly ContainerStatus[] | undefined, name: string): ContainerStatus | undefined {
  if (statuses === undefined) return undefined;
  for (let i = statuses.length - 1; i >= 0; i--) if (statuses[i]?.name === name) return statuses[i];
  return undefined;
}
