import type { Dice } from '../../dst/script/dice.ts';
import type { ScriptEvent } from '../../parity/script/script-case.ts';
import { drawSelector } from './draw-selectors.ts';
import { drawStorageObject, drawStorageRemoval } from './draw-storage.ts';
import { metaOf, plain, type Town } from './town.ts';

type Drawn = Extract<ScriptEvent, { readonly t: 'set' | 'unset' }>;

export function drawNamespace(dice: Dice, name: string): Drawn {
  const labels = {
    'kubernetes.io/metadata.name': name,
    ...(dice.oneIn(3) ? {} : { team: dice.pick(['red', 'blue']) }),
  };
  return { t: 'set', k: 'Namespace', o: { metadata: metaOf(name, undefined, labels) } };
}

/** Something beside nodes and pods is new or another. */
export function drawObject(dice: Dice, town: Town): Drawn {
  if (town.hasStorage && !dice.oneIn(3)) return drawStorageObject(dice, town);
  const app = dice.pick(town.apps);
  const namespace = dice.pick(town.namespaces);
  const labels = { app, ...(dice.oneIn(4) ? { tier: 'front' } : {}) };
  const owner = (prefix: string) => ({
    metadata: metaOf(`${prefix}-${app}`, namespace),
    spec: { selector: dice.oneIn(3) ? drawSelector(dice, town) : { matchLabels: { app } } },
  });
  switch (dice.between(0, 6)) {
    case 0:
      return drawNamespace(dice, namespace);
    case 1:
    case 2:
      return {
        t: 'set',
        k: 'Service',
        o: plain({ metadata: metaOf(`svc-${app}`, namespace), spec: { selector: labels } }),
      };
    case 3:
      return { t: 'set', k: 'ReplicaSet', o: owner('rs') };
    case 4:
      return { t: 'set', k: 'StatefulSet', o: owner('sts') };
    case 5:
      return {
        t: 'set',
        k: 'ReplicationController',
        o: { metadata: metaOf(`rc-${app}`, namespace), spec: { selector: labels } },
      };
    default:
      return {
        t: 'set',
        k: 'PodDisruptionBudget',
        o: {
          metadata: metaOf(`pdb-${app}`, namespace),
          spec: { selector: { matchLabels: { app } } },
          status: { disruptionsAllowed: dice.between(0, 2) },
        },
      };
  }
}

/** Draws the removal of an object, which may not be there. */
export function drawRemoval(dice: Dice, town: Town): Drawn {
  if (town.hasStorage && dice.oneIn(2)) return drawStorageRemoval(dice, town);
  const app = dice.pick(town.apps);
  const ns = dice.pick(town.namespaces);
  const [k, prefix] = dice.pick([
    ['Service', 'svc'],
    ['ReplicaSet', 'rs'],
    ['StatefulSet', 'sts'],
    ['ReplicationController', 'rc'],
    ['PodDisruptionBudget', 'pdb'],
  ] as const);
  if (dice.oneIn(6)) return { t: 'unset', k: 'Namespace', n: ns };
  return { t: 'unset', k, n: `${prefix}-${app}`, ns };
}
