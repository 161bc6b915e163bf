import type { Job } from '../../../src/api/job.ts';
import { ApiError } from '../../../src/store/objects/api-error.ts';
import { type Difference, differences } from '../differences.ts';
import { secondsSinceStart } from './control-case.ts';
import type { JobCase, JobStep, Observation } from './job-case.ts';
import { JobRig } from './job-rig.ts';

/** Replays one recorded scenario of the Job controller. */
export function checkJob(recorded: JobCase): Difference[] {
  const replay = new JobReplay(recorded);
  for (const [i, step] of recorded.steps.entries()) {
    const found = differences(`steps[${i}] ${step.op}`, expectedOf(step, recorded), replay.run(step));
    if (found.length > 0) return found;
  }
  return [];
}

/** The observations of a step; some stand beside its `out`. */
function expectedOf(step: JobStep, recorded: JobCase): Observation {
  const { op, out } = step;
  if (op === 'createJob') return { out, job: step.job ?? recorded.job };
  if (op === 'patchJob') return { out, rejected: step.rejected };
  if (op === 'run') return { out, nextSync: step.nextSync };
  if (op === 'garbageCollect') return { out, action: step.action, pods: step.pods, jobGone: step.jobGone };
  return { out };
}

class JobReplay {
  readonly #recorded: JobCase;
  readonly #rig: JobRig;

  constructor(recorded: JobCase) {
    this.#recorded = recorded;
    this.#rig = new JobRig(recorded);
  }

  run(step: JobStep): Observation {
    switch (step.op) {
      case 'createJob':
        return this.#createJob(step);
      case 'patchJob':
        return this.#patchJob(step);
      case 'garbageCollect':
        return { ...this.#rig.world.collectGarbage(), out: this.#rig.deliver() };
      case 'sync':
        return { out: this.#rig.syncNow(step.out as Observation) };
      case 'run':
        return this.#runFor(step);
      case 'syncOrphans':
        return { out: this.#whileSome(step, () => this.#rig.syncOrphans()) };
      case 'restartController':
        return { out: this.#rig.restart() };
      case 'releaseWatch':
        this.#rig.caches.release(step.kinds);
        return { out: this.#rig.deliver() };
      default:
        return this.#change(step);
    }
  }

  /** Steps that only change something. */
  #change(step: JobStep): Observation {
    const { api, caches, world } = this.#rig;
    if (world.change(step)) return { out: this.#rig.deliver() };
    if (step.op === 'advance') this.#rig.advance(step.seconds);
    else if (step.op === 'ageExpectations') this.#rig.expectationsClock.advance(step.seconds * 1000);
    else if (step.op === 'holdWatch') caches.hold(step.kinds);
    else if (step.op === 'injectFault') api.faults.plant(step.fault);
    else if (step.op === 'clearFaults') api.faults.clear();
    else throw new Error(`no such operation: ${step.op}`);
    return {};
  }

  #createJob(step: JobStep): Observation {
    const { submitted, job: recorded } = step.job === undefined ? this.#recorded : step;
    const job = this.#rig.api.createJob(submitted as Job, recorded?.metadata?.uid);
    return { out: this.#rig.deliver(), job };
  }

  #patchJob({ patch }: JobStep): Observation {
    let rejected: string | undefined;
    try {
      this.#rig.api.patchJob(this.#rig.jobName, patch);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      rejected = error.message.replace(/^.*? is invalid: /, '');
    }
    return { out: this.#rig.deliver(), rejected };
  }

  #runFor(step: JobStep): Observation {
    const endMillis = this.#rig.loop.nowMillis() + step.seconds * 1000;
    const out = this.#whileSome(step, (expected) => this.#rig.workUntil(endMillis, expected));
    const dueMillis = this.#rig.nextSyncMillis();
    return { out, nextSync: dueMillis === undefined ? undefined : secondsSinceStart(dueMillis) };
  }

  /** What `work` shows each time, until it shows nothing. */
  #whileSome(step: JobStep, work: (expected: Observation | undefined) => Observation | undefined): Observation[] {
    const expected = step.out as readonly Observation[];
    const shown: Observation[] = [];
    for (;;) {
      const result = work(expected[shown.length]);
      if (result === undefined) return shown;
      shown.push(result);
    }
  }
}
