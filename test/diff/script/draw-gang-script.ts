import type { Pod } from '../../../src/api/pod.ts';
import type { PodGroup } from '../../../src/api/pod-group.ts';
import { keyedPrng } from '../../../src/lib/keyed-prng.ts';
import { Dice } from '../../dst/script/dice.ts';
import type { ScriptCase, ScriptEvent } from '../../parity/script/script-case.ts';
import { ClaimStory } from './claim-story.ts';
import { drawNode } from './draw-nodes.ts';
import { drawNamespace } from './draw-objects.ts';
import { drawTemplate, podOf } from './draw-pods.ts';
import { metaOf, Town } from './town.ts';

const SCALE = { nodes: [1, 10], racks: 3, rounds: [1, 1], pods: [0, 4], run: [1, 4], templates: [1, 4] } as const;

/** How a group, and each of its pods, refer to the claim of the group. */
const GROUP_CLAIM = { name: 'of-group', resourceClaimName: 'shared-0' };

/**
 * A cluster, groups of pods and single pods that come one group after the other, some of them with claims, also with
 * one for the whole group, or with a topology. In some scripts they preempt each other.
 */
export function drawGangScript(seed: number): ScriptCase {
  const dice = new Dice(keyedPrng(seed, 'gangs'));
  const town = new Town(dice, SCALE);
  const claims = dice.oneIn(2) ? new ClaimStory(dice, town) : undefined;
  const events: ScriptEvent[] = town.namespaces.map((name) => drawNamespace(dice, name));
  if (claims !== undefined) events.push(...claims.begin());
  for (const name of town.nodeNames) events.push({ t: 'node', o: drawNode(dice, town, name) });
  for (let i = dice.between(2, 6); i > 0; i--) {
    const template = drawTemplate(dice, town);
    const name = `g${i}`;
    const minCount = dice.between(1, 5);
    const schedulingPolicy = dice.oneIn(5) ? { basic: {} } : { gang: { minCount } };
    const shared = claims !== undefined && dice.oneIn(3) ? [GROUP_CLAIM] : [];
    const o: PodGroup = {
      metadata: metaOf(name, template.namespace),
      spec: {
        ...{ schedulingPolicy, priority: template.spec.priority ?? 0 },
        ...(dice.oneIn(4) && { schedulingConstraints: { topology: [{ key: 'rack' }] } }),
        ...(dice.oneIn(3) && { disruptionMode: 'PodGroup' }),
        ...(shared.length > 0 && { resourceClaims: shared }),
      },
    };
    if (!dice.oneIn(12)) events.push({ t: 'set', k: 'PodGroup', o });
    const run: ScriptEvent[] = [];
    for (let pod = Math.max(1, minCount + dice.between(-1, 2)); pod > 0; pod--) {
      const member = podOf(template, `${name}-${pod}`);
      const spec = { ...member.spec, schedulingGroup: { podGroupName: name } } as NonNullable<Pod['spec']>;
      const inGroup: Pod = dice.oneIn(8) ? member : { ...member, spec };
      const own = claims?.claiming(inGroup) ?? inGroup;
      const resourceClaims = [...(own.spec?.resourceClaims ?? []), ...shared];
      const all: Pod = shared.length === 0 ? own : { ...own, spec: { ...(own.spec ?? spec), resourceClaims } };
      run.push({ t: 'schedule', o: all, expect: { skipped: true } });
    }
    events.push(...(claims?.takeNew() ?? []), ...run);
  }
  const postFilter = dice.oneIn(2);
  return { kind: 'script', name: `gangs-${seed}`, seed, percentageOfNodesToScore: 100, postFilter, events };
}
