import { controllerOf } from '../expansion/present-pods.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Trial } from './trial.ts';

/**
 * Nodes are gone for good, with everything on them, all at the same time. Their pods come back controller by
 * controller, as each of them makes those that it misses.
 */
export async function loseNodes(trial: Trial, names: readonly string[]): Promise<void> {
  const { scheduler } = trial;
  const lost = names.flatMap((name) => (scheduler.node(name)?.pods ?? []).map((pod) => ({ pod, name })));
  const byController = groupBy(lost, ({ pod }) => {
    const { kind = '', name = '' } = controllerOf(pod) ?? {};
    return `${pod.metadata?.namespace}/${kind}/${name}`;
  });
  for (const { pod, name } of [...byController.values()].flat()) trial.displace(pod, name, 'its node is lost');
  for (const name of names) scheduler.removeNode(name);
  trial.changed();
  await trial.settle();
}
