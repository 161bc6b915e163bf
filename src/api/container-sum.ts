import { type Container, isSidecar, type PodSpec } from './pod.ts';
import { addQuantities, maxQuantity, type Quantity } from './quantity.ts';

/** Exact amounts by resource name, before rounding. */
export type Amounts = Map<string, Quantity>;

/**
 * The total requests of a pod's containers (component-helpers/resource/helpers.go, AggregateContainerRequests):
 *
 *     max( containers + all sidecars,  each init container + the sidecars that start before it )
 *
 * A sidecar is an init container with restartPolicy Always. `amountsOf` must return a fresh map; its second argument
 * says whether the container runs as long as the pod does.
 */
export function sumContainers(
  spec: PodSpec | undefined,
  amountsOf: (container: Container, longRunning: boolean) => Amounts,
): Amounts {
  let total: Amounts | null = null;
  for (const container of spec?.containers ?? []) {
    const own = amountsOf(container, true);
    if (total === null) total = own;
    else addAmounts(total, own);
  }
  total ??= new Map();

  const initContainers = spec?.initContainers ?? [];
  if (initContainers.length === 0) return total;

  const startedSidecars: Amounts = new Map();
  const initPeak: Amounts = new Map();
  for (const container of initContainers) {
    const sidecar = isSidecar(container);
    const own = amountsOf(container, sidecar);
    if (sidecar) {
      addAmounts(total, own);
      addAmounts(startedSidecars, own);
      raiseAmounts(initPeak, startedSidecars);
    } else {
      const running: Amounts = new Map(startedSidecars);
      addAmounts(running, own);
      raiseAmounts(initPeak, running);
    }
  }
  raiseAmounts(total, initPeak);
  return total;
}

export function addAmounts(target: Amounts, added: ReadonlyMap<string, Quantity>): void {
  for (const [name, quantity] of added) {
    const present = target.get(name);
    target.set(name, present === undefined ? quantity : addQuantities(present, quantity));
  }
}

/** Raises each amount of `target` to that of `other` if it is lower or missing. */
export function raiseAmounts(target: Amounts, other: ReadonlyMap<string, Quantity>): void {
  for (const [name, quantity] of other) {
    const present = target.get(name);
    target.set(name, present === undefined ? quantity : maxQuantity(present, quantity));
  }
}
