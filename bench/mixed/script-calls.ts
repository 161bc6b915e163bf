import { podKey } from '../../src/api/object-name.ts';
import { isFinished, onNode } from '../../test/parity/script/play-script.ts';
import type { ScriptCase, ScriptEvent } from '../../test/parity/script/script-case.ts';

/**
 * The events of a script in which each is one call of the scheduler. What an event means depends on where its pod is,
 * which the recorded answers say: so nobody has to keep that while the script is played. If an answer is another one,
 * what follows means nothing, but the benchmark has failed then.
 */
export function callsOf({ events }: ScriptCase): ScriptEvent[] {
  // The nodes of pods by pod key; such a node need not exist.
  const nodeOf = new Map<string, string>();
  const calls: ScriptEvent[] = [];
  for (const event of events) {
    const call = callOf(event, nodeOf);
    if (call !== null) calls.push(call);
  }
  return calls;
}

/** null: nothing is asked of the scheduler. */
function callOf(event: ScriptEvent, nodeOf: Map<string, string>): ScriptEvent | null {
  switch (event.t) {
    case 'schedule':
      if ('skipped' in event.expect) return null;
      if ('node' in event.expect) nodeOf.set(podKey(event.o), event.expect.node);
      return event;
    case 'pod': {
      const { nodeName } = event.o.spec ?? {};
      const key = podKey(event.o);
      if (!nodeName) return null;
      if (!nodeOf.has(key) && !isFinished(event.o)) nodeOf.set(key, nodeName);
      return event;
    }
    case 'podUpdate': {
      const key = podKey(event.o);
      const nodeName = nodeOf.get(key);
      if (isFinished(event.o)) nodeOf.delete(key);
      return nodeName === undefined ? null : { ...event, o: onNode(event.o, nodeName) };
    }
    case 'podRemove':
      nodeOf.delete(podKey({ metadata: { namespace: event.ns, name: event.n } }));
      return event;
    case 'nominate':
      return nodeOf.has(podKey(event.o)) ? null : event;
    default:
      return event;
  }
}
