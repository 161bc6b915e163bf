import { podKey } from '../../../src/api/object-name.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { type ScheduleResult, Scheduler, type SchedulerError, type SchedulerOptions } from '../../../src/index.ts';
import { combined } from '../../../src/lib/combined.ts';
import type { Answer, ChangeEvent, ScriptCase, ScriptEvent } from './script-case.ts';

/** Makes the scheduler of a script. */
export type NewScheduler = (options: SchedulerOptions) => Scheduler;

export interface PlayOptions extends Pick<SchedulerOptions, 'engine' | 'index' | 'workers'> {
  /** Absent: the scheduler of the sources. */
  readonly newScheduler?: NewScheduler;
  /** Whether attempts with nothing between them are made by `scheduleBatch`. */
  readonly batches?: boolean;
}

/** The answers of a fresh scheduler to the script's attempts, in their order. */
export function playScript(script: ScriptCase, options: PlayOptions = {}): Answer[] {
  return validated((validate) => play(script, options, validate));
}

/**
 * Plays with checks of objects. Scripts that were cut down to what shows a mistake may have lost what an API server
 * asks for: those are played again without.
 */
export function validated<T>(play: (validate: boolean) => T): T {
  try {
    return play(true);
  } catch (error) {
    if (!(codeOf(error) === 'Invalid' && LACKS.test((error as SchedulerError).message))) throw error;
    return play(false);
  }
}

const LACKS = /: (is required|must hold at least one item)$/;

function play(script: ScriptCase, options: PlayOptions, validate: boolean): Answer[] {
  const { batches = false, newScheduler = (given) => new Scheduler(given), ...engine } = options;
  const scheduler = newScheduler({ ...engine, ...scriptOptions(script), validate });
  try {
    const player = new ScriptPlayer(scheduler);
    player.playAll(script.events, batches);
    return player.results.map(asAnswer);
  } finally {
    scheduler[Symbol.dispose]();
  }
}

/** The options by which a scheduler decides as the one that was recorded. */
export function scriptOptions({ percentageOfNodesToScore, postFilter }: ScriptCase): SchedulerOptions {
  return { tieBreak: 'upstream', percentageOfNodesToScore, preemption: postFilter };
}

/** What became of an attempt; null: the pod was on a node already. */
export type AttemptResult = ScheduleResult | null;

/** The events of one script on one scheduler, which it asks for no more than a script may mean. */
export class ScriptPlayer {
  /** The results of the attempts so far, without those of the batch that is not scheduled yet. */
  readonly results: AttemptResult[] = [];
  readonly #scheduler: Scheduler;
  /** The nodes of pods by pod key; such a node need not exist. */
  readonly #nodeOf = new Map<string, string>();
  /** Pods of the next batch, by key: a batch cannot hold a pod twice. */
  readonly #batch = new Map<string, Pod>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  playAll(events: readonly ScriptEvent[], batches: boolean): void {
    for (const event of events) {
      if (event.t !== 'schedule') this.change(event);
      else if (batches) this.enqueue(event.o);
      else this.schedule(event.o);
    }
    this.flush();
  }

  schedule(pod: Pod): void {
    this.#note(pod, this.#attempt(pod));
  }

  enqueue(pod: Pod): void {
    const key = podKey(pod);
    if (this.#batch.has(key)) this.flush();
    // A batch with a pod that is on a node is refused as a whole.
    if (this.#nodeOf.has(key)) this.flush();
    if (this.#nodeOf.has(key)) this.schedule(pod);
    else this.#batch.set(key, pod);
  }

  flush(): void {
    if (this.#batch.size === 0) return;
    const pods = [...this.#batch.values()];
    this.#batch.clear();
    const results = this.#scheduler.scheduleBatch(pods);
    for (const [i, pod] of pods.entries()) this.#note(pod, results.at(i));
  }

  change(event: ChangeEvent): void {
    this.flush();
    const { t } = event;
    if (t === 'pod') this.#addPod(event.o);
    else if (t === 'podUpdate') this.#updatePod(event.o);
    else if (t === 'podRemove') this.#removePod(event.ns, event.n);
    else if (t === 'nominate') this.#nominate(event.o);
    else applyChange(this.#scheduler, event);
  }

  #addPod(pod: Pod): void {
    const nodeName = pod.spec?.nodeName;
    if (!nodeName) return;
    unless('AlreadyExists', () => {
      this.#scheduler.addPod(pod);
      if (!isFinished(pod)) this.#nodeOf.set(podKey(pod), nodeName);
    });
  }

  #updatePod(pod: Pod): void {
    const key = podKey(pod);
    const nodeName = this.#nodeOf.get(key);
    if (nodeName === undefined) return;
    this.#scheduler.updatePod(onNode(pod, nodeName));
    if (isFinished(pod)) this.#nodeOf.delete(key);
  }

  #removePod(namespace: string, name: string): void {
    this.#nodeOf.delete(podKey({ metadata: { namespace, name } }));
    unless('NotFound', () => this.#scheduler.removePod(namespace, name));
  }

  #nominate(pod: Pod): void {
    if (!this.#nodeOf.has(podKey(pod))) this.#scheduler.updatePod(pod);
  }

  #attempt(pod: Pod): AttemptResult {
    if (!this.#nodeOf.has(podKey(pod))) return this.#scheduler.schedule(pod);
    unless('AlreadyExists', () => {
      throw new Error(
        `${podKey(pod)} is on a node, and was scheduled: ${JSON.stringify(this.#scheduler.schedule(pod))}`,
      );
    });
    return null;
  }

  #note(pod: Pod, result: AttemptResult): void {
    this.results.push(result);
    if (result?.status === 'scheduled') this.#nodeOf.set(podKey(pod), result.node);
  }
}

export function asAnswer(result: AttemptResult): Answer {
  if (result === null) return { skipped: true };
  switch (result.status) {
    case 'scheduled':
      return { node: result.node, feasible: result.feasibleNodes };
    case 'unschedulable':
      return { unschedulable: result.message };
    case 'gated':
      return { gated: `${result.plugin}:${result.reasons.join(', ')}` };
    case 'error':
      return { error: result.message };
    default:
      return { error: `no profile for ${result.schedulerName}` };
  }
}

/** Makes the call that the event stands for, which must be right for pods as it stands. */
export function applyChange(scheduler: Scheduler, event: ChangeEvent): void {
  const { t } = event;
  if (t === 'set') scheduler.setObject(event.k, event.o);
  else if (t === 'unset') unless('NotFound', () => scheduler.removeObject(event.k, event.n, event.ns));
  else if (t === 'node') unless('AlreadyExists', () => scheduler.addNode(event.o));
  else if (t === 'nodeUpdate') unless('NotFound', () => scheduler.updateNode(event.o));
  else if (t === 'nodeRemove') unless('NotFound', () => scheduler.removeNode(event.n));
  else if (t === 'pod') unless('AlreadyExists', () => scheduler.addPod(event.o));
  else if (t === 'podUpdate' || t === 'nominate') scheduler.updatePod(event.o);
  else if (t === 'podRemove') unless('NotFound', () => scheduler.removePod(event.ns, event.n));
  else throw new Error(`event ${JSON.stringify(event)} is none that scripts have`);
}

/** What is done in vain does nothing, by the script's rules. */
function unless(code: 'AlreadyExists' | 'NotFound', change: () => void): void {
  try {
    change();
  } catch (error) {
    if (codeOf(error) !== code) throw error;
  }
}

/** The code of a scheduler's error, also of the built library, whose class is another; undefined for other errors. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** The pod on a node, in objects whose hidden classes are those of others, as if a parser had made them. */
export function onNode(pod: Pod, nodeName: string): Pod {
  return combined(pod, { spec: combined(pod.spec, { nodeName }) as Pod['spec'] });
}

export function isFinished({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}
