import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import type { PodGroup } from '../../../src/api/pod-group.ts';
import { keyedPrng } from '../../../src/lib/keyed-prng.ts';
import { Dice } from '../../dst/script/dice.ts';
import type { ScriptCase, ScriptEvent } from '../../parity/script/script-case.ts';
import { ClaimStory } from './claim-story.ts';
import { drawNode } from './draw-nodes.ts';
import { drawNamespace } from './draw-objects.ts';
import { drawTemplate, podOf, type Template } from './draw-pods.ts';
import { metaOf, plain, Town } from './town.ts';

const SCALE = { nodes: [1, 10], racks: 3, rounds: [1, 1], pods: [0, 4], run: [1, 4], templates: [1, 4] } as const;

/** How a group, and each of its pods, refer to the claim of the group. */
const GROUP_CLAIM = { name: 'of-group', resourceClaimName: 'shared-0' };

const MOST_FULL_NODES = 4;

/**
 * A cluster, groups of pods and single pods that come one group after the other, some of them with claims, also with
 * one for the whole group, or with a topology. In every second script there are few nodes, each with room for few pods,
 * and most groups are more important than those before, so that they preempt each other.
 */
export function drawGangScript(seed: number): ScriptCase {
  const dice = new Dice(keyedPrng(seed, 'gangs'));
  const town = new Town(dice, SCALE);
  const isFull = dice.oneIn(2);
  const claims = dice.oneIn(isFull ? 5 : 2) ? new ClaimStory(dice, town) : undefined;
  const events: ScriptEvent[] = town.namespaces.map((name) => drawNamespace(dice, name));
  if (claims !== undefined) events.push(...claims.begin());
  const nodeNames = isFull ? town.nodeNames.slice(0, MOST_FULL_NODES) : town.nodeNames;
  for (const name of nodeNames) {
    const node = drawNode(dice, town, name);
    events.push({ t: 'node', o: isFull ? withRoomFor(node, dice.between(1, 3)) : node });
  }
  const budgets = isFull ? dice.list(0, 2, (i) => drawBudget(dice, town, i)) : [];
  events.push(...budgets);
  const groups = dice.between(2, 6);
  for (let i = groups; i > 0; i--) {
    const drawn = drawTemplate(dice, town);
    const template = isFull ? asPlain(dice, drawn, dice.oneIn(4) ? 0 : 10 * (groups - i)) : drawn;
    const name = `g${i}`;
    const minCount = dice.between(1, isFull ? 3 : 5);
    const schedulingPolicy = dice.oneIn(5) ? { basic: {} } : { gang: { minCount } };
    const shared = claims !== undefined && dice.oneIn(3) ? [GROUP_CLAIM] : [];
    const o: PodGroup = {
      metadata: metaOf(name, template.namespace),
      spec: {
        ...{ schedulingPolicy, priority: template.spec.priority ?? 0 },
        ...(dice.oneIn(isFull ? 8 : 4) && { schedulingConstraints: { topology: [{ key: 'rack' }] } }),
        ...(dice.oneIn(3) && { disruptionMode: 'PodGroup' }),
        ...(shared.length > 0 && { resourceClaims: shared }),
      },
    };
    if (!dice.oneIn(12)) events.push({ t: 'set', k: 'PodGroup', o });
    const run: ScriptEvent[] = [];
    for (let pod = Math.max(1, minCount + dice.between(isFull ? 0 : -1, 2)); pod > 0; pod--) {
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
  const postFilter = isFull || dice.oneIn(2);
  return { kind: 'script', name: `gangs-${seed}`, seed, percentageOfNodesToScore: 100, postFilter, events };
}

/** The node without taints, and with room for a few pods. */
function withRoomFor({ metadata, status }: Node, pods: number): Node {
  return { metadata, spec: {}, status: { ...status, allocatable: { ...status?.allocatable, pods: `${pods}` } } };
}

/** The template with hardly any wishes: pods that fit nowhere for other reasons than room evict nobody. */
function asPlain(dice: Dice, { spec, ...template }: Template, priority: number): Template {
  const { containers = [], topologySpreadConstraints, affinity } = spec;
  const wishes = dice.oneIn(4) ? plain({ topologySpreadConstraints, affinity }) : {};
  const requests = { cpu: dice.pick(['10m', '10m', '1']) };
  const asking = containers.map(({ name, image }) => ({ name, image, resources: { requests } }));
  return { ...template, spec: { containers: asking, ...wishes, priority } };
}

/** A budget for the pods of an app, of which it allows none or one to be evicted. */
function drawBudget(dice: Dice, town: Town, i: number): ScriptEvent {
  const metadata = metaOf(`pdb${i}`, dice.pick(town.namespaces));
  const spec = { selector: { matchLabels: { app: dice.pick(town.apps) } } };
  const status = { disruptionsAllowed: dice.between(0, 1) };
  return { t: 'set', k: 'PodDisruptionBudget', o: { metadata, spec, status } };
}
