import { podKey } from '../../src/api/object-name.ts';
import { PodGroupScheduler } from '../../src/cluster/pod-group-scheduler.ts';
import type { FeatureGates } from '../../src/config/feature-gates.ts';
import type { EngineName } from '../../src/index.ts';
import { differences } from '../parity/differences.ts';
import type { ScheduleEvent, ScriptCase } from '../parity/script/script-case.ts';
import type { Found } from './find-difference.ts';

interface GangWay {
  readonly name: string;
  readonly engine: EngineName;
  readonly index: boolean;
}

const REFERENCE: GangWay = { name: 'groups, reference', engine: 'reference', index: false };
const OTHERS: readonly GangWay[] = [
  { name: 'groups, simd', engine: 'simd', index: true },
  { name: 'groups, simd, without index', engine: 'simd', index: false },
  { name: 'groups, scalar', engine: 'scalar', index: true },
];
/** Groups of every second script are preempted for as a whole. */
function featureGatesOf(seed: number): Partial<FeatureGates> {
  return {
    ...{ GenericWorkload: true, GangScheduling: true, TopologyAwareWorkloadScheduling: true },
    ...{ DRAWorkloadResourceClaims: true, WorkloadAwarePreemption: seed % 2 === 0 },
  };
}

/** What became of a pod, or an eviction. */
type Outcome = string;

const EVICTS = 'evicts';

/**
 * Plays a script of groups on a scheduler with a queue, once for each engine; returns the first difference. A group
 * that is bound with fewer pods than it needs is one, too.
 */
export function findGangDifference(script: ScriptCase): Found | undefined {
  const expected = play(script, REFERENCE);
  for (const way of OTHERS) {
    const found = differences('outcomes', expected, play(script, way));
    if (found.length > 0) return { way: way.name, differences: found };
  }
  return splitGang(script, expected);
}

function play({ events, seed, postFilter }: ScriptCase, { engine, index }: GangWay): readonly Outcome[] {
  const featureGates = featureGatesOf(Math.floor(seed / 4));
  const options = { engine, index, featureGates, preemption: postFilter, tieBreak: 'first', seed } as const;
  const scheduler = new PodGroupScheduler(options);
  const outcomes: Outcome[] = [];
  let run: ScheduleEvent[] = [];
  const flush = (): void => {
    const batch = scheduler.scheduleBatch(run.map(({ o }) => o));
    for (let i = 0; i < run.length; i++) {
      const result = batch.at(i);
      outcomes.push(result.status === 'scheduled' ? `on ${result.node}` : JSON.stringify(result));
    }
    run = [];
  };
  try {
    for (const event of events) {
      if (event.t === 'schedule') {
        run.push(event);
        continue;
      }
      if (run.length > 0) flush();
      if (event.t === 'node') scheduler.addNode(event.o);
      else if (event.t === 'set') scheduler.setObject(event.k, event.o);
    }
    flush();
    scheduler.settle();
    for (const { preemptor, victims } of scheduler.evictions) {
      outcomes.push(`${podKey(preemptor)} ${EVICTS} ${victims.map(podKey).join(', ')}`);
    }
    return [...outcomes, ...podsOf(events).map((pod) => `in the end: ${scheduler.nodeOf(pod)}`)];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    scheduler.close();
  }
}

function podsOf(events: ScriptCase['events']) {
  return events.flatMap((event) => (event.t === 'schedule' ? [event.o] : []));
}

/**
 * A gang of which some pods have a node, and fewer than it needs, although none was evicted. One with a claim of its
 * own is left out: of pods that share a claim without devices the first writes what was found, and the bindings of the
 * others are refused once, as recorded (FACTS.md of `../shared/dra`, G16); what they had may be gone when they retry.
 */
function splitGang({ events }: ScriptCase, outcomes: readonly Outcome[]): Found | undefined {
  if (outcomes.some((outcome) => outcome.includes(` ${EVICTS} `))) return undefined;
  const pods = podsOf(events);
  const ends = outcomes.slice(-pods.length);
  for (const event of events) {
    if (event.t !== 'set' || event.k !== 'PodGroup') continue;
    const { metadata, spec } = event.o as { metadata?: { name?: string; namespace?: string }; spec?: GangSpec };
    if ((spec?.resourceClaims?.length ?? 0) > 0) continue;
    const least = spec?.schedulingPolicy?.gang?.minCount ?? 0;
    const placed = pods.filter((pod, i) => {
      const isMember = pod.spec?.schedulingGroup?.podGroupName === metadata?.name;
      return isMember && pod.metadata?.namespace === metadata?.namespace && ends[i] !== 'in the end: null';
    });
    if (placed.length === 0 || placed.length >= least) continue;
    return { way: REFERENCE.name, differences: [{ field: `${metadata?.name}`, expected: least, got: placed.length }] };
  }
  return undefined;
}

interface GangSpec {
  readonly resourceClaims?: readonly unknown[];
  readonly schedulingPolicy?: { readonly gang?: { readonly minCount: number } };
}
