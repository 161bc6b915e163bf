import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { Resource } from '../../../src/store/objects/resources.ts';
import type { Dice } from './dice.ts';
import { drawTemplate, type PodTraits } from './draw-objects.ts';
import type { Act } from './script.ts';

export interface TimedAct {
  readonly afterMillis: number;
  readonly act: Act;
}

const KINDS = ['deployments', 'statefulsets', 'daemonsets'] as const;
const CHANGE_MILLIS = 120_000;

/** A Deployment, StatefulSet or DaemonSet, which is updated, scaled and perhaps deleted in the course of time. */
export function drawWorkload(dice: Dice, name: string, traits: PodTraits): TimedAct[] {
  const resource = dice.pick(KINDS);
  const template = drawTemplate(dice, { restartPolicy: 'Always', behaviour: {}, ...traits });
  const labels = { ...template.metadata?.labels, workload: name };
  const own = { ...template, metadata: { ...template.metadata, labels } };
  const selector = { matchLabels: { workload: name } };
  const object = {
    metadata: { name, namespace: 'default' },
    spec: { selector, template: own, ...drawSpec(dice, resource) },
  };
  const acts: TimedAct[] = [{ afterMillis: 0, act: { do: 'submit', resource, object: object as KubernetesObject } }];
  const change = (spec: object): void => {
    const act: Act = { do: 'patch', resource, name, body: { spec } };
    acts.push({ afterMillis: dice.between(0, CHANGE_MILLIS), act });
  };
  for (let i = dice.between(0, 3); i > 0; i--) {
    const image = `app:${dice.between(1, 9)}`;
    const containers = own.spec?.containers?.map((container) => ({ ...container, image }));
    if (resource === 'daemonsets' || dice.oneIn(2)) change({ template: { spec: { containers } } });
    else change({ replicas: dice.between(0, 5) });
  }
  if (dice.oneIn(6)) {
    const propagationPolicy = dice.pick(['Background', 'Foreground'] as const);
    acts.push({
      afterMillis: dice.between(0, CHANGE_MILLIS),
      act: { do: 'delete', resource, name, propagationPolicy },
    });
  }
  return acts;
}

function drawSpec(dice: Dice, resource: Resource): object {
  const minReadySeconds = dice.oneIn(3) ? dice.between(1, 5) : 0;
  const surge = dice.between(0, 2);
  const rollingUpdate = { maxSurge: surge, maxUnavailable: surge === 0 ? dice.between(1, 2) : dice.between(0, 1) };
  if (resource === 'daemonsets') {
    // With surge, a DaemonSet leaves no node without a pod.
    const limits = surge === 0 ? rollingUpdate : { maxSurge: surge, maxUnavailable: 0 };
    return { minReadySeconds, updateStrategy: { type: 'RollingUpdate', rollingUpdate: limits } };
  }
  const replicas = dice.between(0, 4);
  if (resource === 'statefulsets') {
    return { minReadySeconds, replicas, podManagementPolicy: dice.pick(['OrderedReady', 'Parallel']) };
  }
  const strategy = dice.oneIn(4) ? { type: 'Recreate' } : { type: 'RollingUpdate', rollingUpdate };
  return { minReadySeconds, replicas, strategy };
}
