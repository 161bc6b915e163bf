import type { PriorityClasses } from '../../api/admission.ts';
import type { PriorityClass } from '../../api/priority-class.ts';
import type { ApiModules } from '../context/context.ts';

/** The priority classes by name, and the one of those that name none. */
export function priorityClasses({ ledger }: Pick<ApiModules, 'ledger'>): {
  readonly byName: PriorityClasses;
  readonly globalDefault: PriorityClass | null;
} {
  const classes = [...ledger.objects('priorityclasses').values()];
  const byName = new Map(classes.map((one) => [one.metadata?.name ?? '', one]));
  return { byName, globalDefault: lowest(classes.filter(({ globalDefault }) => globalDefault === true)) };
}

function lowest(classes: readonly PriorityClass[]): PriorityClass | null {
  return classes.reduce<PriorityClass | null>((best, each) => (best && best.value <= each.value ? best : each), null);
}
