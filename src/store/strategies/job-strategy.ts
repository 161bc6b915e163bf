import type { Job } from '../../api/job.ts';
import { defaultJob, prepareJobUpdate, prepareNewJob } from '../../api/job-defaults.ts';
import type { ObjectMeta } from '../../api/meta.ts';
import { jobShapeProblems, jobStatusShapeProblems, validateJob } from '../../api/validation/job.ts';
import { validateJobStatusUpdate } from '../../api/validation/job-status.ts';
import { validateJobUpdate } from '../../api/validation/job-update.ts';
import { checkChangedMetadata } from '../../api/validation/metadata.ts';
import { refuseInvalid } from '../objects/api-error.ts';
import { frozenCopy } from '../objects/frozen-copy.ts';
import { identify, type Strategy, withStatus } from './strategy.ts';

/** Upstream: pkg/registry/batch/job/strategy.go. */
export class JobStrategy implements Strategy<Job> {
  readonly hasStatus = true;
  /** False because a Job's generation follows a rule of its own (`prepareJobUpdate`). */
  readonly hasGeneration = false;
  readonly requiresVersion = false;
  /** The default of batch/v1; kubectl asks for `Background` explicitly. */
  readonly propagationPolicy = 'Orphan';

  create(job: Job, metadata: ObjectMeta): Job {
    const given = frozenCopy(identify('jobs', job, metadata));
    refuseInvalid('jobs', given.metadata, jobShapeProblems(given));
    const prepared = frozenCopy(prepareNewJob(defaultJob(given)), given);
    refuseInvalid('jobs', prepared.metadata, validateJob(prepared));
    return prepared;
  }

  update(job: Job, metadata: ObjectMeta, stored: Job): Job {
    const given = frozenCopy(withStatus(identify('jobs', job, metadata), stored), stored);
    if (given === stored) return stored;
    refuseInvalid('jobs', given.metadata, jobShapeProblems(given));
    const prepared = frozenCopy(prepareJobUpdate(defaultJob(given), stored), stored);
    if (prepared !== stored) refuseInvalid('jobs', prepared.metadata, validateJobUpdate(prepared, stored));
    return prepared;
  }

  /** Replaces status and metadata; the spec stays as it is stored. */
  updateStatus(job: Job, stored: Job, metadata: ObjectMeta): Job {
    const next = frozenCopy({ ...stored, metadata, status: job.status }, stored);
    if (next === stored) return stored;
    const problems = jobStatusShapeProblems(next.status);
    if (metadata !== stored.metadata) checkChangedMetadata(metadata, stored.metadata ?? {}, problems);
    refuseInvalid('jobs', next.metadata, problems);
    refuseInvalid('jobs', next.metadata, validateJobStatusUpdate(next, stored));
    return next;
  }
}
