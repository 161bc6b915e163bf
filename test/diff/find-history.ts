import type { Pod } from '../../src/api/pod.ts';
import { withoutOrder } from '../core/rebuilt-cluster.ts';
import { differences } from '../parity/differences.ts';
import { ScriptPlayer } from '../parity/script/play-script.ts';
import type { ScriptCase, ScriptEvent } from '../parity/script/script-case.ts';
import type { Found } from './find-difference.ts';
import { PresentState } from './present-state.ts';
import { newScheduler, REFERENCE } from './ways.ts';

/** To build a scheduler for each attempt of a long script would take most of the time. */
const MOST_QUESTIONS = 30;
const PLAYING = { tieBreak: 'first', isAsked: true } as const;

/**
 * The script without what legitimately depends on the past: in which order nodes are looked at, how many nodes had an
 * image when a node was last copied into the snapshot, and whom preemption has nominated.
 */
export function withoutHistory(script: ScriptCase): ScriptCase {
  return { ...script, percentageOfNodesToScore: 100, postFilter: false, events: script.events.map(withoutImages) };
}

function withoutImages(event: ScriptEvent): ScriptEvent {
  if (event.t !== 'node' && event.t !== 'nodeUpdate') return event;
  const { images: _, ...status } = event.o.status ?? {};
  return { ...event, o: { ...event.o, status } };
}

/**
 * Before attempts, asks the reference and a scheduler that is built from the present state of the cluster, and returns
 * the first difference between the two.
 */
export function findHistory(script: ScriptCase): Found | undefined {
  const scheduler = newScheduler(REFERENCE, script, PLAYING);
  const player = new ScriptPlayer(scheduler);
  const state = new PresentState();
  const step = Math.ceil(script.events.filter(({ t }) => t === 'schedule').length / MOST_QUESTIONS);
  let attempt = 0;
  let hasMoved = false;
  for (const event of script.events) {
    if (state.dependsOnHistory) return undefined;
    if (event.t !== 'schedule') {
      player.change(event);
      state.note(event);
      continue;
    }
    if (attempt % step === 0) {
      const [expected, got] = [state.build().explain(event.o), scheduler.explain(event.o)];
      // Of several errors the first is reported, and a search may begin elsewhere after attempts that saw few nodes.
      const mayDiffer = hasMoved && expected.status === 'error' && got.status === 'error';
      const compared = mayDiffer ? { ...got, message: expected.message } : got;
      const found = differences(`explanation ${attempt}`, withoutOrder(expected), withoutOrder(compared));
      if (found.length > 0) return { way: 'reference, against one that knows the present only', differences: found };
    }
    player.schedule(event.o);
    const result = player.results[attempt] ?? null;
    hasMoved ||= result?.status === 'error' || isOfNamedNodes(event.o);
    state.noteAttempt(event.o, result);
    attempt++;
  }
  return undefined;
}

/** Whether PreFilter may leave some nodes out, so that the attempt does not look at all of them. */
function isOfNamedNodes({ spec }: Pod): boolean {
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const namesNodes = required?.nodeSelectorTerms?.some(({ matchFields }) => matchFields !== undefined);
  return (
    namesNodes ||
    (spec?.volumes ?? []).some(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim ?? ephemeral)
  );
}
