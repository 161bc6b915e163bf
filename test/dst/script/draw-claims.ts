import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { DeviceTaint, ResourceSlice } from '../../../src/api/resource-claims.ts';
import type { Resource } from '../../../src/store/objects/resources.ts';
import type { Dice } from './dice.ts';
import { drawTemplate, type PodTraits } from './draw-objects.ts';
import type { Act } from './script.ts';

const DRIVER = 'gpu.example.com';

interface TimedAct {
  readonly atMillis: number;
  readonly act: Act;
}

/** Devices of the nodes, templates of claims, and pods and Jobs that want claims. */
export function drawClaims(
  dice: Dice,
  nodeNames: readonly string[],
  anyTime: () => number,
  traits: PodTraits,
): readonly TimedAct[] {
  const acts: TimedAct[] = [submit(0, 'deviceclasses', DEVICE_CLASS)];
  for (const name of nodeNames) acts.push(submit(0, 'resourceslices', sliceOf(name, dice.between(0, 4))));
  for (const count of [1, 2]) acts.push(submit(0, 'resourceclaimtemplates', templateOf(count)));
  for (let i = dice.between(1, 4); i > 0; i--) {
    const behaviour = { 'run-duration.main': dice.pick(['1s', '10s', 'uniform(1s, 60s)']) };
    const { metadata, spec } = drawTemplate(dice, { restartPolicy: 'Never', behaviour, ...traits });
    const resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: dice.pick(['devices-1', 'devices-2']) }];
    const template = { metadata, spec: { ...spec, resourceClaims } };
    const count = dice.between(1, 3);
    const [name, atMillis] = [`claim-job-${i}`, anyTime()];
    const jobSpec = { completions: count, parallelism: count, backoffLimit: 6, template };
    acts.push(
      submit(atMillis, 'jobs', { metadata: { name, namespace: 'default' }, spec: jobSpec } as KubernetesObject),
    );
    if (!dice.oneIn(4)) continue;
    const deletion: Act = { do: 'delete', resource: 'jobs', name, propagationPolicy: 'Background' };
    acts.push({ atMillis: atMillis + dice.between(1, 60_000), act: deletion });
  }
  return acts;
}

/** Devices that break, by a taint that evicts or one that only keeps new claims away, and may be repaired. */
export function drawBrokenDevices(dice: Dice, acts: readonly TimedAct[], anyTime: () => number): readonly TimedAct[] {
  const broken: TimedAct[] = [];
  for (const { act } of acts) {
    if (act.do !== 'submit' || act.resource !== 'resourceslices' || !dice.oneIn(2)) continue;
    const { metadata, spec } = act.object as ResourceSlice;
    const { devices = [] } = spec;
    if (devices.length === 0) continue;
    const patched = (taints: readonly DeviceTaint[]): Act => {
      const which = dice.between(0, devices.length - 1);
      const body = { spec: { devices: devices.map((device, i) => (i === which ? { ...device, taints } : device)) } };
      return { do: 'patch', resource: 'resourceslices', name: metadata?.name ?? '', body };
    };
    const atMillis = anyTime();
    const effect = dice.pick(['NoExecute', 'NoExecute', 'NoSchedule']);
    broken.push({ atMillis, act: patched([{ key: 'broken', effect }]) });
    if (dice.oneIn(2)) broken.push({ atMillis: atMillis + dice.between(0, 60_000), act: patched([]) });
  }
  return broken;
}

/**
 * Gangs, each of which has as many pods as it needs, one more, or rarely one less. Pods of a gang that needs several do
 * not preempt: while the gang has no place as a whole, each of its pods may have others evicted and gets nothing, here
 * as upstream, so that a controller which replaces the victims keeps both of them busy for ever.
 */
export function drawGangs(
  dice: Dice,
  anyTime: () => number,
  traits: PodTraits & { readonly hasClaims: boolean },
): readonly TimedAct[] {
  const { hasClaims, allHaveTerms } = traits;
  const acts: TimedAct[] = [];
  for (let i = dice.between(1, 4); i > 0; i--) {
    const [podGroupName, atMillis] = [`gang-${i}`, anyTime()];
    const minCount = dice.between(1, 4);
    const policy = dice.oneIn(5) ? { basic: {} } : { gang: { minCount } };
    const resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: 'devices-1' }];
    // What group and pods name alike is one claim, which all of them share.
    const isShared = hasClaims && dice.oneIn(3);
    const group = {
      metadata: { name: podGroupName, namespace: 'default' },
      spec: { schedulingPolicy: policy, ...(isShared && { resourceClaims }) },
    };
    acts.push(submit(atMillis, 'podgroups', group as KubernetesObject));
    if (isShared && dice.oneIn(2)) {
      const deletion: Act = { do: 'delete', resource: 'podgroups', name: podGroupName };
      acts.push({ atMillis: atMillis + dice.between(0, 60_000), act: deletion });
    }
    const behaviour = { 'run-duration.main': dice.pick(['5s', 'uniform(1s, 60s)']) };
    const { metadata, spec } = drawTemplate(dice, {
      restartPolicy: 'Never',
      behaviour,
      hasErrands: false,
      allHaveTerms,
    });
    const own = {
      ...spec,
      schedulingGroup: { podGroupName },
      ...('gang' in policy && minCount > 1 && { preemptionPolicy: 'Never' }),
      ...((isShared || (hasClaims && dice.oneIn(2))) && { resourceClaims }),
    };
    for (let pod = minCount + (dice.oneIn(5) ? -1 : dice.between(0, 1)); pod > 0; pod--) {
      const name = `${podGroupName}-${pod}`;
      const object = { metadata: { ...metadata, name, namespace: 'default' }, spec: own } as KubernetesObject;
      const later = dice.oneIn(3) ? dice.between(0, 20_000) : 0;
      acts.push(submit(atMillis + later, 'pods', object));
      if (!dice.oneIn(6)) continue;
      const deletion: Act = { do: 'delete', resource: 'pods', name, gracePeriodSeconds: dice.pick([0, 5]) };
      acts.push({ atMillis: atMillis + later + dice.between(0, 30_000), act: deletion });
    }
  }
  return acts;
}

function submit(atMillis: number, resource: Resource, object: KubernetesObject): TimedAct {
  return { atMillis, act: { do: 'submit', resource, object } };
}

const DEVICE_CLASS = {
  metadata: { name: 'gpu' },
  spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] },
} as KubernetesObject;

function sliceOf(nodeName: string, count: number): KubernetesObject {
  const devices = Array.from({ length: count }, (_, i) => ({ name: `gpu-${i}`, attributes: { half: { int: i % 2 } } }));
  const pool = { name: nodeName, generation: 1, resourceSliceCount: 1 };
  return {
    metadata: { name: `${nodeName}-gpus` },
    spec: { driver: DRIVER, nodeName, pool, devices },
  } as KubernetesObject;
}

/** Two devices have to agree in an attribute. */
function templateOf(count: number): KubernetesObject {
  const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count } }];
  const constraints = count > 1 ? [{ requests: ['r'], matchAttribute: `${DRIVER}/half` }] : [];
  const metadata = { name: `devices-${count}`, namespace: 'default' };
  return { metadata, spec: { spec: { devices: { requests, constraints } } } } as KubernetesObject;
}
