import type { Pod } from '../../api/pod.ts';
import { isTerminated } from './pods-to-delete.ts';

/** What a pass of the collector has to know of all pods. Lists are in the order of the pods. */
export interface Survey {
  readonly terminatedCount: number;
  /** The pods that are being deleted. */
  readonly terminating: readonly Pod[];
  /** The pods on nodes that are not known. */
  readonly stray: readonly Pod[];
}

/** What matters of a pod, as bits. */
const TERMINATED = 1;
const TERMINATING = 2;
const STRAY = 4;

/**
 * Looks through all pods for those that concern the collector. From one pass to the next most pods are the very same
 * objects, in the same order, and are not read again.
 */
export class PodSurvey {
  #pods: readonly Pod[] = [];
  #notes = new Uint8Array(0);
  #nodeNames: ReadonlySet<string> | undefined;

  of(pods: readonly Pod[], nodeNames: ReadonlySet<string>): Survey {
    const before = nodeNames === this.#nodeNames ? this.#pods : [];
    const notesBefore = this.#notes;
    const notes = new Uint8Array(pods.length);
    const [terminating, stray]: [Pod[], Pod[]] = [[], []];
    let terminatedCount = 0;
    let place = 0;
    for (let i = 0; i < pods.length; i++) {
      const pod = pods[i] as Pod;
      // Pods that are gone leave the others in their order.
      while (place < before.length && !isOfOnePod(before[place] as Pod, pod)) place++;
      const note = before[place] === pod ? (notesBefore[place] as number) : noteOf(pod, nodeNames);
      place++;
      if (note === 0) continue;
      notes[i] = note;
      if ((note & TERMINATED) !== 0) terminatedCount++;
      if ((note & TERMINATING) !== 0) terminating.push(pod);
      if ((note & STRAY) !== 0) stray.push(pod);
    }
    this.#pods = pods;
    this.#notes = notes;
    this.#nodeNames = nodeNames;
    return { terminatedCount, terminating, stray };
  }
}

function isOfOnePod(a: Pod, b: Pod): boolean {
  return a === b || a.metadata?.uid === b.metadata?.uid;
}

function noteOf(pod: Pod, nodeNames: ReadonlySet<string>): number {
  const nodeName = pod.spec?.nodeName;
  const isStray = nodeName !== undefined && nodeName !== '' && !nodeNames.has(nodeName);
  return (
    (isTerminated(pod) ? TERMINATED : 0) | (pod.metadata?.deletionTimestamp ? TERMINATING : 0) | (isStray ? STRAY : 0)
  );
}
