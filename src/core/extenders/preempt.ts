import type { Snapshot } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { NodeVictims, ProcessPreemption } from '../../framework/post-filter.ts';
import { type NamedVictims, type Read, readPreemptionAnswer } from './answers.ts';
import type { Extender } from './extender.ts';
import { callExtender } from './request.ts';
import { preemptBody } from './request-bodies.ts';

/** Calls one extender after the other with the candidates that remain (upstream's callExtenders). */
export function preemptByExtenders(extenders: readonly Extender[], snapshot: Snapshot): ProcessPreemption {
  return function* (pod, found) {
    let candidates = found;
    for (const extender of extenders) {
      if (candidates.length === 0) break;
      if (!extender.has('preempt') || !extender.isInterested(pod.pod)) continue;
      const read = yield* callExtender(extender, 'preempt', preemptBody(extender, pod.pod, candidates), (body) => {
        const answer = readPreemptionAnswer(body);
        return 'error' in answer ? answer : candidatesOf(extender, answer.answer, snapshot);
      });
      if (!('error' in read)) candidates = read.answer;
      else if (!extender.isIgnorable) return read;
    }
    return { candidates };
  };
}

function candidatesOf(
  extender: Extender,
  victims: ReadonlyMap<string, NamedVictims>,
  snapshot: Snapshot,
): Read<readonly NodeVictims[]> {
  const candidates: NodeVictims[] = [];
  const empty: string[] = [];
  for (const [name, nodeVictims] of victims) {
    const node = snapshot.node(name);
    if (node === undefined) return { error: `nodeinfo not found for node name ${JSON.stringify(name)}` };
    const pods: PodInfo[] = [];
    for (const uid of nodeVictims.uids) {
      const pod = node.pods.find((each) => each.uid === uid);
      if (pod === undefined) return { error: unknownVictim(extender, uid, name) };
      pods.push(pod);
    }
    if (pods.length === 0) empty.push(name);
    else candidates.push({ node, victims: pods, pdbViolations: Number(nodeVictims.pdbViolations) });
  }
  const [first] = empty;
  if (first !== undefined && !extender.isIgnorable) {
    return { error: `expected at least one victim pod on node ${JSON.stringify(first)}` };
  }
  return { answer: candidates };
}

/** Upstream prints the whole MetaPod where it means its UID. */
function unknownVictim({ name }: Extender, uid: string, node: string): string {
  const claim = `extender: ${name} claims to preempt pod (UID: &{${uid}}) on node: ${node}`;
  return `${claim}, but the pod is not found on that node`;
}
